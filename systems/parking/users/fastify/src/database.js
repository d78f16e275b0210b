/** Statements on connections of the pool: alone, or in a transaction. */

import { hasGivenWay } from './failures.js';

const BEGIN = { text: 'BEGIN' };
const COMMIT = { text: 'COMMIT' };
const ROLLBACK = { text: 'ROLLBACK' };

/** All rejects with a Problem. */
export class Database {
  #pool;

  constructor(pool) {
    this.#pool = pool;
  }

  /** The rows of one statement. */
  async rows(statement, values) {
    const { rows } = await this.#use((connection) => connection.execute(statement, values));
    return rows;
  }

  /** How many rows one statement has changed. */
  async change(statement, values) {
    const { rowCount } = await this.#use((connection) => connection.execute(statement, values));
    return rowCount;
  }

  /** Does work with a connection in one transaction, which is rolled back where the work fails. */
  transact(work) {
    return this.#use((connection) => inTransaction(connection, work));
  }

  close() {
    this.#pool.close();
  }

  /** Where it has to give way to another transaction, the work is done once more. */
  #use(work) {
    return this.#pool.use(async (connection) => {
      try {
        return await work(connection);
      } catch (error) {
        if (!hasGivenWay(error)) throw error;
      }
      return work(connection);
    });
  }
}

async function inTransaction(connection, work) {
  await connection.execute(BEGIN);
  try {
    const result = await work(connection);
    await connection.execute(COMMIT);
    return result;
  } catch (error) {
    // Where even that fails nobody knows what the transaction is in.
    if (!connection.isLost) await connection.execute(ROLLBACK).catch(() => connection.drop());
    throw error;
  }
}
