/** One connection to the database by mysql2, with a limit on each wait for it. */

import mysql from 'mysql2';

import { Problem } from './problem.js';

const DUPLICATE_KEY = 1062;
const UNAVAILABLE = new Set([
  1040, // too many connections
  1053, // the server stops, and the connection is lost with it
  1205, // waited too long for a lock
  1213, // deadlock
  1317, // the statement was interrupted
  1927, // the connection was killed
  1969, // the statement took too long
]);

/** Resolves with a connection that is logged in, or rejects within the limit. */
export function openConnection({ host, port, user, password, database, timeoutMs }) {
  return new Promise((resolve, reject) => {
    const raw = mysql.createConnection({
      ...{ host, port, user, password, database },
      connectTimeout: timeoutMs, // until the end of the log-in
      charset: 'utf8mb4_bin',
      flags: ['FOUND_ROWS'], // mysql2's default as well: an update counts the rows that it finds
    });
    raw.once('connect', () => resolve(new Connection(raw, timeoutMs)));
    raw.on('error', (error) => {
      raw.stream.destroy();
      reject(error);
    });
  });
}

class Connection {
  isLost = false;
  onLost = () => {};
  #raw;
  #timeoutMs;

  constructor(raw, timeoutMs) {
    this.#raw = raw;
    this.#timeoutMs = timeoutMs;
    raw.stream.on('timeout', () => this.#drop(new Error('no byte of the result came in time')));
    raw.stream.once('close', () => {
      this.isLost = true;
      this.onLost();
    });
  }

  /**
   * Resolves with the result of a statement, which is prepared once and kept. Rejects with a Problem, or with the
   * error of the server where it is none of those that a caller is told of.
   */
  execute(sql, values) {
    return new Promise((resolve, reject) => {
      this.#raw.stream.setTimeout(this.#timeoutMs); // starts anew with each byte
      this.#raw.execute(sql, values, (error, result) => {
        this.#raw.stream.setTimeout(0);
        if (error) reject(this.#failure(error));
        else resolve(result);
      });
    });
  }

  close() {
    if (!this.isLost) this.#raw.end();
  }

  /** By an error of its stream, since mysql2's `destroy` leaves its commands without an answer. */
  #drop(error) {
    this.isLost = true;
    this.#raw.stream.destroy(error);
  }

  #failure(error) {
    if (error.errno === DUPLICATE_KEY) return new Problem('duplicate-id', { cause: error });
    if (error.fatal) this.#drop();
    if (error.fatal || UNAVAILABLE.has(error.errno)) {
      return new Problem('unavailable', { cause: error });
    }
    return error;
  }
}
