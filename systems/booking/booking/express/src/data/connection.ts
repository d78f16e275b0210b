/** One connection to the database by pg, with a limit on each wait for it. */

import { Socket } from 'node:net';

import pg from 'pg';

import type { DatabaseConfig } from '../config.js';
import { Problem } from '../problem.js';
import type { Lendable } from './pool.js';
import { isEnd, isUnavailable } from './sqlstate.js';

// As SPEC.md has them.
const CONNECT_TIMEOUT_MS = 1_000;
const ANSWER_TIMEOUT_MS = 2_000;

// Ids and counts are far below 2^53; pg would give them as texts, since not all that PostgreSQL counts are.
pg.defaults.parseInt8 = true;
pg.defaults.parseInputDatesAsUTC = true;

/** Resolves with a connection that is logged in, or rejects within the limit. */
export async function openConnection(config: DatabaseConfig): Promise<Connection> {
  const { host, port, user, password, database } = config;
  const socket = new Socket();
  const client = new pg.Client({
    ...{ host, port, user, password, database },
    ssl: false,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS, // until the end of the log-in
    stream: () => socket,
  });
  // First of all listeners, so that who is told of the end finds the connection lost.
  socket.once('end', () => socket.destroy());
  client.on('error', () => socket.destroy());
  try {
    await client.connect();
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return new Connection(client, socket);
}

export class Connection implements Lendable {
  onLost = () => {};
  readonly #client: pg.Client;
  readonly #socket: Socket;

  constructor(client: pg.Client, socket: Socket) {
    this.#client = client;
    this.#socket = socket;
    socket.once('close', () => {
      this.onLost();
    });
  }

  get isLost(): boolean {
    return this.#socket.destroyed;
  }

  /**
   * Resolves with the result of a statement; one with a name is prepared once and kept. Rejects with a Problem, or with the
   * error of the server where it is none of those that a caller is told of.
   */
  async execute<Row extends pg.QueryResultRow>(
    statement: pg.QueryConfig,
  ): Promise<pg.QueryResult<Row>> {
    const timer = setTimeout(() => {
      this.#socket.destroy(new Error('the database did not answer in time'));
    }, ANSWER_TIMEOUT_MS);
    try {
      return await this.#client.query<Row>(statement);
    } catch (error) {
      throw this.#failure(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends a transaction that has failed. Where that fails too, the connection is given up. */
  async rollBack(): Promise<void> {
    if (this.isLost) return;
    await this.execute({ text: 'ROLLBACK' }).catch(() => {
      this.giveUp();
    });
  }

  /** Whatever is on it is gone. */
  giveUp(): void {
    this.#socket.destroy();
  }

  close(): void {
    if (this.isLost) return;
    this.#client.end().catch(() => {
      this.giveUp();
    });
  }

  #failure(error: unknown): Error {
    const code = error instanceof pg.DatabaseError ? error.code : undefined;
    if (code !== undefined && isEnd(code)) this.giveUp();
    const isTold = code === undefined ? this.isLost : isUnavailable(code);
    if (isTold) return new Problem('unavailable', { cause: error });
    return error instanceof Error ? error : new Error(String(error));
  }
}
