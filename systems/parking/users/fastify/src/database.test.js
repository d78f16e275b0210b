import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Database } from './database.js';
import { unavailable } from './failures.js';
import { Problem } from './problem.js';

/** A connection that fails at some statements: a map from a text to the errors, one after the other. */
class FakeConnection {
  isLost = false;
  texts = [];
  #failures;

  constructor(failures) {
    this.#failures = failures;
  }

  async execute({ text }) {
    this.texts.push(text);
    const error = this.#failures[text]?.shift();
    if (error !== undefined) throw error;
    return { rows: [{ text }], rowCount: 1 };
  }

  drop() {
    this.isLost = true;
  }
}

function databaseOf(failures = {}) {
  const connection = new FakeConnection(failures);
  const pool = { use: (work) => work(connection) };
  return { database: new Database(pool), connection };
}

const work = (connection) => connection.execute({ text: 'A' });

test('one statement is alone', async () => {
  const { database, connection } = databaseOf();
  assert.deepEqual(await database.rows({ text: 'A' }), [{ text: 'A' }]);
  assert.equal(await database.change({ text: 'B' }), 1);
  assert.deepEqual(connection.texts, ['A', 'B']);
});

test('a transaction is committed', async () => {
  const { database, connection } = databaseOf();
  assert.deepEqual(await database.transact(work), { rows: [{ text: 'A' }], rowCount: 1 });
  assert.deepEqual(connection.texts, ['BEGIN', 'A', 'COMMIT']);
});

test('a transaction that fails is rolled back', async () => {
  const { database, connection } = databaseOf({ A: [new Problem('not-found')] });
  await assert.rejects(database.transact(work), { code: 'not-found' });
  assert.deepEqual(connection.texts, ['BEGIN', 'A', 'ROLLBACK']);
  assert.ok(!connection.isLost);
});

test('a connection that cannot roll back is given up', async () => {
  const { database, connection } = databaseOf({
    A: [new Error('first')],
    ROLLBACK: [new Error('second')],
  });
  await assert.rejects(database.transact(work), /first/);
  assert.ok(connection.isLost);
});

for (const code of ['40001', '40P01']) {
  test(`what gives way by ${code} is done once more`, async () => {
    const { database, connection } = databaseOf({ A: [unavailable({ code })] });
    await database.transact(work);
    assert.deepEqual(connection.texts, ['BEGIN', 'A', 'ROLLBACK', 'BEGIN', 'A', 'COMMIT']);
    const alone = databaseOf({ A: [unavailable({ code })] });
    await alone.database.rows({ text: 'A' });
    assert.deepEqual(alone.connection.texts, ['A', 'A']);
  });
}

test('what gives way twice is given up', async () => {
  const again = () => unavailable({ code: '40P01' });
  const { database } = databaseOf({ A: [again(), again()] });
  await assert.rejects(database.transact(work), { code: 'unavailable' });
});

test('nothing else is tried again', async () => {
  const { database, connection } = databaseOf({ A: [unavailable({ code: '55P03' })] });
  await assert.rejects(database.transact(work), { code: 'unavailable' });
  assert.deepEqual(connection.texts, ['BEGIN', 'A', 'ROLLBACK']);
});
