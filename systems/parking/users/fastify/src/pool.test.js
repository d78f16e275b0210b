import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';

import { Pool } from './pool.js';

const RETRY_MS = 5;
const LONG_MS = 60_000;

class FakeConnection {
  isLost = false;
  onLost = () => {};

  lose() {
    this.isLost = true;
    this.onLost();
  }

  close() {
    this.lose();
  }
}

const connect = async () => new FakeConnection();

/** A pool of `size`, and the connections that it has opened. */
function poolOf(t, size, { waitMs = LONG_MS, open = connect, onRefusal = () => {} } = {}) {
  const opened = [];
  const pool = new Pool({
    size,
    waitMs,
    onRefusal,
    retryMs: RETRY_MS,
    open: async () => {
      const connection = await open();
      opened.push(connection);
      return connection;
    },
  });
  t.after(() => pool.close());
  return { pool, opened };
}

/** Holds a connection; the function that is resolved gives it back. */
function hold(pool) {
  return new Promise((taken) => {
    pool.use((connection) => new Promise((give) => taken({ connection, give })));
  });
}

async function until(condition) {
  while (!condition()) await nextTurn();
}

test('all connections are opened before anyone asks, and no more', async (t) => {
  const { pool, opened } = poolOf(t, 3);
  await until(() => opened.length === 3);
  const held = await Promise.all([hold(pool), hold(pool), hold(pool)]);
  assert.equal(new Set(held.map(({ connection }) => connection)).size, 3);
  assert.equal(opened.length, 3);
});

test('who comes first is served first', async (t) => {
  const { pool } = poolOf(t, 1);
  const { connection, give } = await hold(pool);
  const order = [];
  const waits = [1, 2].map((number) =>
    pool.use(async (other) => {
      assert.equal(other, connection);
      order.push(number);
    }),
  );
  give();
  await Promise.all(waits);
  assert.deepEqual(order, [1, 2]);
});

test('a wait has a limit', async (t) => {
  const { pool } = poolOf(t, 1, { waitMs: 1 });
  const { give } = await hold(pool);
  await assert.rejects(
    pool.use(() => assert.fail()),
    { code: 'unavailable' },
  );
  give();
  await pool.use(async () => {});
});

test('work that fails gives its connection back', async (t) => {
  const { pool } = poolOf(t, 1);
  await assert.rejects(
    pool.use(() => Promise.reject(new Error('failed'))),
    /failed/,
  );
  await pool.use(async () => {});
});

test('a connection that is lost at rest is replaced, and never lent again', async (t) => {
  const { pool, opened } = poolOf(t, 1);
  await pool.use(async () => {});
  opened[0].lose();
  await pool.use(async (connection) => assert.equal(connection, opened[1]));
});

test('a connection that is lost in use is replaced', async (t) => {
  const { pool, opened } = poolOf(t, 1);
  await pool.use(async (connection) => connection.lose());
  await pool.use(async (connection) => assert.equal(connection, opened[1]));
});

test('one that cannot be opened is tried again', async (t) => {
  let tries = 0;
  let refusals = 0;
  const open = async () => {
    tries += 1;
    if (tries < 3) throw new Error('refused');
    return new FakeConnection();
  };
  const onRefusal = () => (refusals += 1);
  const { pool } = poolOf(t, 1, { open, onRefusal });
  await pool.use(async () => {});
  assert.deepEqual([tries, refusals], [3, 2]);
});

test('a pool that was closed opens none', async (t) => {
  const { pool, opened } = poolOf(t, 2);
  await until(() => opened.length === 2);
  pool.close();
  await new Promise((resolve) => setTimeout(resolve, 4 * RETRY_MS));
  assert.equal(opened.length, 2);
});

test('a connection that is lost while it is handed over is not lent', async (t) => {
  const { pool, opened } = poolOf(t, 1);
  const { connection, give } = await hold(pool);
  const wait = pool.use(async (other) => assert.equal(other, opened[1]));
  let looks = 0;
  Object.defineProperty(connection, 'isLost', { get: () => (looks += 1) > 1 });
  give();
  await until(() => looks > 1);
  connection.onLost();
  await wait;
});
