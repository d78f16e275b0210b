/** A connection of the pool as Sequelize uses it: by a callback, from its taking to its release. */

import type { QueryResult, QueryResultRow } from 'pg';

import type { Connection } from './connection.js';

type Done = (error: Error | null, result?: QueryResult<QueryResultRow>) => void;

const ROLLBACK = 'ROLLBACK;';

export class LentConnection {
  /** Sequelize sets it while a transaction is on the connection. */
  uuid: string | undefined;
  readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  query(sql: string, ...rest: [Done] | [unknown[], Done]): void {
    const [values, done] = rest.length === 1 ? [undefined, rest[0]] : rest;
    this.#execute(sql, values).then(
      (result) => {
        done(null, result);
      },
      (error: unknown) => {
        done(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  async #execute(sql: string, values: unknown[] | undefined): Promise<QueryResult<QueryResultRow>> {
    if (sql === ROLLBACK && this.connection.isLost) return NOTHING; // its transaction went with it
    return this.connection.execute({ text: sql, ...(values && { values }) });
  }
}

const NOTHING = { rows: [], rowCount: 0, command: '', oid: 0, fields: [] };
