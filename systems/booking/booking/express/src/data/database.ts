/** Statements on connections of a pool: each by itself, or several in one transaction. */

import type { QueryResult, QueryResultRow } from 'pg';

import type { Connection } from './connection.js';
import type { Pool } from './pool.js';
import { withoutRivals } from './sqlstate.js';

type Execute = <Row extends QueryResultRow>(
  text: string,
  values: readonly unknown[],
) => Promise<QueryResult<Row>>;

// By its name a statement is prepared once on each connection. There are as many as the code has texts.
const names = new Map<string, string>();

/** Statements, all of one transaction or each by itself. */
export class Statements {
  readonly #execute: Execute;

  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /** The rows of a statement. */
  async rows<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) {
    const { rows } = await this.#execute<Row>(text, values);
    return rows;
  }

  /** How many rows a statement has made or changed. */
  async count(text: string, values: readonly unknown[]): Promise<number> {
    const { rowCount } = await this.#execute(text, values);
    return rowCount ?? 0;
  }
}

/** In autocommit. */
export function statementsOf(pool: Pool<Connection>): Statements {
  return new Statements((text, values) =>
    withoutRivals(() => pool.use((connection) => execute(connection, text, values))),
  );
}

/** Does work in one transaction, or not at all where it fails. */
export function inTransaction<Result>(
  pool: Pool<Connection>,
  work: (statements: Statements) => Promise<Result>,
): Promise<Result> {
  return withoutRivals(() => pool.use((connection) => doAll(connection, work)));
}

async function doAll<Result>(
  connection: Connection,
  work: (statements: Statements) => Promise<Result>,
): Promise<Result> {
  try {
    await connection.execute({ text: 'BEGIN' });
    const result = await work(new Statements((text, values) => execute(connection, text, values)));
    await connection.execute({ text: 'COMMIT' });
    return result;
  } catch (error) {
    await connection.rollBack();
    throw error;
  }
}

function execute<Row extends QueryResultRow>(
  connection: Connection,
  text: string,
  values: readonly unknown[],
): Promise<QueryResult<Row>> {
  return connection.execute<Row>({ name: nameOf(text), text, values: [...values] });
}

function nameOf(text: string): string {
  const name = names.get(text) ?? `s${names.size}`;
  names.set(text, name);
  return name;
}
