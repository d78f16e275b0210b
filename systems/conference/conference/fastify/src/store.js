/** The conferences in the database: one statement an operation, on a connection of the pool. */

import { openConnection } from './connection.js';
import { Pool } from './pool.js';

const LIST = 'SELECT id, name FROM conferences ORDER BY id';
const PAGE = 'SELECT id, name FROM conferences WHERE id > ? ORDER BY id LIMIT ?';
const INSERT = 'INSERT INTO conferences (id, name) VALUES (?, ?)';
const GET = 'SELECT id, name FROM conferences WHERE id = ?';
const REPLACE = 'UPDATE conferences SET name = ? WHERE id = ?';
const REMOVE = 'DELETE FROM conferences WHERE id = ?';
const ASK = 'SELECT 1';

/** The store of a configuration, which opens its connections in the background. */
export function openStore({ poolSize, ...database }) {
  const { timeoutMs } = database;
  return new Store(new Pool({ open: () => openConnection(database), size: poolSize, timeoutMs }));
}

/** Each operation rejects with a Problem, or with an error of the database. */
class Store {
  #pool;

  constructor(pool) {
    this.#pool = pool;
  }

  /** All conferences, as `{id, name}`. */
  list() {
    return this.#execute(LIST);
  }

  /** At most `most` conferences behind the id `after`. */
  listAfter(after, most) {
    return this.#execute(PAGE, [after, most]);
  }

  async insert({ id, name }) {
    await this.#execute(INSERT, [id, name]);
  }

  /** The conference, or nothing. */
  async get(id) {
    const [conference] = await this.#execute(GET, [id]);
    return conference;
  }

  /** Whether there was one. */
  async replace({ id, name }) {
    const { affectedRows } = await this.#execute(REPLACE, [name, id]);
    return affectedRows === 1;
  }

  /** Whether there was one. */
  async remove(id) {
    const { affectedRows } = await this.#execute(REMOVE, [id]);
    return affectedRows === 1;
  }

  async ask() {
    await this.#execute(ASK);
  }

  async close() {
    this.#pool.close();
  }

  #execute(sql, values) {
    return this.#pool.use((connection) => connection.execute(sql, values));
  }
}
