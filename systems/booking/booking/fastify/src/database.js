/** Statements on connections of the pool: alone, one after the other, or in a transaction. */

import { Problem } from './problem.js';

const BEGIN = { text: 'BEGIN' };
const COMMIT = { text: 'COMMIT' };
const ROLLBACK = { text: 'ROLLBACK' };

// What the database ends in favour of another transaction: 40001 and 40P01.
const GIVEN_WAY = new Set(['40001', '40P01']);

/** All rejects with a Problem, or with an error of the database. */
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

  /** The first row of one statement, or nothing. */
  async row(statement, values) {
    const [row] = await this.rows(statement, values);
    return row;
  }

  /** Does work with a connection, of which each statement is a transaction of its own. It must not write. */
  read(work) {
    return this.#use(work);
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

function hasGivenWay(error) {
  return error instanceof Problem && GIVEN_WAY.has(error.cause?.code);
}
