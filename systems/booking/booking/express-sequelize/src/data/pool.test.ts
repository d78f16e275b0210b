import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Lendable, Pool } from './pool.js';

const RETRY_MS = 5;
const LONG_MS = 60_000;

class FakeConnection implements Lendable {
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

interface Given {
  readonly waitMs?: number;
  readonly open?: () => Promise<FakeConnection>;
}

/** A pool of `size`, and the connections that it has opened. */
function poolOf(t: TestContext, size: number, { waitMs = LONG_MS, open = opened }: Given = {}) {
  const connections: FakeConnection[] = [];
  const pool = new Pool({
    size,
    waitMs,
    retryMs: RETRY_MS,
    open: async () => {
      const connection = await open();
      connections.push(connection);
      return connection;
    },
  });
  t.after(() => {
    pool.close();
  });
  return { pool, connections };
}

function opened(): Promise<FakeConnection> {
  return Promise.resolve(new FakeConnection());
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn();
}

test('all connections are opened before anyone asks, and no more', async (t) => {
  const { pool, connections } = poolOf(t, 3);
  await until(() => connections.length === 3);
  const held = await Promise.all([pool.take(), pool.take(), pool.take()]);
  assert.equal(new Set(held).size, 3);
  assert.equal(connections.length, 3);
});

test('who comes first is served first', async (t) => {
  const { pool } = poolOf(t, 1);
  const held = await pool.take();
  const order: number[] = [];
  const waits = [1, 2].map((number) =>
    pool.use((other) => {
      assert.equal(other, held);
      return Promise.resolve(order.push(number));
    }),
  );
  pool.give(held);
  await Promise.all(waits);
  assert.deepEqual(order, [1, 2]);
});

test('a wait has a limit', async (t) => {
  const { pool } = poolOf(t, 1, { waitMs: 20 });
  const held = await pool.take();
  await assert.rejects(pool.take(), { code: 'unavailable' });
  pool.give(held);
  assert.equal(await pool.take(), held);
});

test('work that fails gives its connection back', async (t) => {
  const { pool } = poolOf(t, 1);
  await assert.rejects(
    pool.use(() => Promise.reject(new Error('failed'))),
    /failed/,
  );
  await pool.take();
});

test('a connection that is lost at rest is replaced, and never lent again', async (t) => {
  const { pool, connections } = poolOf(t, 1);
  pool.give(await pool.take());
  connections[0]?.lose();
  assert.equal(await pool.take(), connections[1]);
});

test('a connection that is lost in use is replaced', async (t) => {
  const { pool, connections } = poolOf(t, 1);
  await pool.use((connection) => {
    connection.lose();
    return Promise.resolve();
  });
  assert.equal(await pool.take(), connections[1]);
});

test('one that is lost while it is handed over is not lent', async (t) => {
  const { pool, connections } = poolOf(t, 1);
  const held = await pool.take();
  const next = pool.take();
  pool.give(held);
  held.lose();
  assert.equal(await next, connections[1]);
});

test('one whose loss is not told yet is not lent', async (t) => {
  const { pool, connections } = poolOf(t, 1);
  const held = await pool.take();
  pool.give(held);
  held.isLost = true;
  const next = pool.take();
  held.onLost();
  assert.equal(await next, connections[1]);
});

test('one that cannot be opened is tried again', async (t) => {
  let tries = 0;
  const open = () => {
    tries += 1;
    return tries < 3 ? Promise.reject(new Error('refused')) : opened();
  };
  const { pool } = poolOf(t, 1, { open });
  await pool.take();
  assert.equal(tries, 3);
});

test('a pool that was closed opens none', async (t) => {
  const { pool, connections } = poolOf(t, 2);
  await until(() => connections.length === 2);
  pool.close();
  await new Promise((resolve) => setTimeout(resolve, 4 * RETRY_MS));
  assert.equal(connections.length, 2);
});
