/** One connection to the database by pg, with a limit on each wait for it. */

import { Socket } from 'node:net';

import pg from 'pg';

import { problemOf, unavailable } from './failures.js';
import { showTimestamp } from './instant.js';

// As SPEC.md has them.
const CONNECT_TIMEOUT_MS = 1_000;
const STATEMENT_TIMEOUT_MS = 2_000;

// Sent with the log-in, so that no statement has to say it, and `showTimestamp` knows what comes.
const SESSION = '-c TimeZone=UTC -c DateStyle=ISO -c client_encoding=UTF8';

// How the server tells that a statement failed, and the session goes on.
const ERROR = 'ERROR';

const { builtins } = pg.types;
const PARSERS = new Map([
  // Texts for pg, since it may be beyond a number of JavaScript; an id of this system is not.
  [builtins.INT8, Number],
  [builtins.TIMESTAMPTZ, showTimestamp],
]);
const TYPES = {
  getTypeParser: (type, format) => PARSERS.get(type) ?? pg.types.getTypeParser(type, format),
};

/** Resolves with a connection that is logged in, or rejects within the limit. */
export async function openConnection({ host, port, user, password, database }) {
  const socket = new Socket();
  const client = new pg.Client({
    ...{ host, port, user, password, database },
    stream: socket,
    ssl: false,
    options: SESSION,
    types: TYPES,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
  });
  const connection = new Connection(client, socket);
  try {
    await client.connect();
  } catch (error) {
    connection.drop();
    throw error;
  }
  return connection;
}

class Connection {
  isLost = false;
  onLost = () => {};
  #client;
  #socket;

  constructor(client, socket) {
    this.#client = client;
    this.#socket = socket;
    client.on('error', () => this.drop());
    client.once('end', () => this.drop());
  }

  /** Resolves with the result of a statement, as pg has it; one that has a name is prepared once. Rejects with a Problem. */
  async execute(statement, values) {
    try {
      return await this.#client.query({ ...statement, values });
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Ends it as the server wants it, at rest. */
  close() {
    if (!this.isLost) this.#client.end().catch(() => {});
  }

  /** Ends it at once, whatever it does: nobody gets it again. */
  drop() {
    if (this.isLost) return;
    this.isLost = true;
    this.#socket.destroy();
    this.onLost();
  }

  /** After anything but an error that the session outlives, nobody knows in which state it is. */
  #failure(error) {
    if (error.severity === ERROR) return problemOf(error);
    this.drop();
    return unavailable(error);
  }
}
