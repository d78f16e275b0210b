/**
 * Connections to the database, always as many as were asked for. pg's own pool opens them on demand, and opens none
 * again in the background.
 */

import { setTimeout as sleep } from 'node:timers/promises';

import { unavailable } from './failures.js';

// As SPEC.md has them: how long a free connection is waited for, and how often one is tried that is lost or cannot be
// opened.
const WAIT_MS = 1_000;
const RETRY_MS = 500;

/** A fixed number of connections, opened and kept up in the background. */
export class Pool {
  #open;
  #waitMs;
  #retryMs;
  #onRefusal;
  #idle = [];
  #waiting = new Set();
  #all = new Set();
  #isClosed = false;

  /**
   * `open` gives a connection, which has `isLost`, `onLost` (to be set) and `close()`; `onRefusal` is told each time that
   * there is none.
   */
  constructor({ open, size, onRefusal, waitMs = WAIT_MS, retryMs = RETRY_MS }) {
    this.#open = open;
    this.#waitMs = waitMs;
    this.#retryMs = retryMs;
    this.#onRefusal = onRefusal;
    for (let count = 0; count < size; count += 1) this.#keep();
  }

  /** Does work with a connection, and rejects with a Problem where none is free in time. */
  async use(work) {
    const connection = await this.#take();
    try {
      return await work(connection);
    } finally {
      this.#give(connection);
    }
  }

  /** Closes every connection. What waits for one fails. */
  close() {
    this.#isClosed = true;
    for (const connection of this.#all) connection.close();
  }

  /** A connection that is not lost. One that was handed over may be, by the time that it is looked at. */
  async #take() {
    const until = performance.now() + this.#waitMs;
    let connection;
    do {
      connection = this.#idle.pop() ?? (await this.#wait(until - performance.now()));
    } while (connection.isLost);
    return connection;
  }

  /** Opens one connection, and after it is lost another one. */
  async #keep() {
    while (!this.#isClosed) {
      const again = sleep(this.#retryMs, undefined, { ref: false });
      await this.#serveOne().catch(() => this.#onRefusal());
      await again;
    }
  }

  /** Opens a connection, and ends with it. Rejects where it cannot be opened. */
  async #serveOne() {
    const connection = await this.#open();
    // It may have been lost before anyone could be told.
    if (connection.isLost) return;
    const lost = new Promise((resolve) => {
      connection.onLost = () => {
        this.#all.delete(connection);
        this.#idle = this.#idle.filter((other) => other !== connection);
        resolve();
      };
    });
    this.#all.add(connection);
    if (this.#isClosed) connection.close();
    else this.#give(connection);
    await lost;
  }

  #give(connection) {
    if (connection.isLost) return;
    const [first] = this.#waiting;
    if (first === undefined) this.#idle.push(connection);
    else first(connection);
  }

  #wait(limitMs) {
    return new Promise((resolve, reject) => {
      const take = (connection) => {
        clearTimeout(timer);
        this.#waiting.delete(take);
        resolve(connection);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(take);
        reject(unavailable(new Error('no connection was free in time')));
      }, limitMs);
      this.#waiting.add(take);
    });
  }
}
