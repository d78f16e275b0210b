import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';

import { claimKey, fingerprintOf, readKey } from './idempotency.js';
import { readInstant } from './instant.js';

const ACCOUNT = { id: 7 };
const WANTED = { facility_id: 3, start: readInstant('2040-03-01T08:00:00+02:00'), slots: 2 };
const FINGERPRINT = createHash('sha256').update('3|2040-03-01T06:00:00Z|2').digest();

/** A connection to a table with one row, or none. */
function connectionOf(row) {
  return {
    execute: async ({ text }) =>
      text.startsWith('INSERT') ? { rowCount: row === undefined ? 1 : 0 } : { rows: [row] },
  };
}

test('a key may be missing', () => {
  assert.equal(readKey({ headers: {} }), undefined);
});

for (const key of ['k', '~'.repeat(64), '!"#$%&']) {
  test(`${key} is a key`, () => {
    assert.equal(readKey({ headers: { 'idempotency-key': key } }), key);
  });
}

for (const key of ['', 'k'.repeat(65), 'a b', 'é', 'a, b']) {
  test(`${JSON.stringify(key)} is no key`, () => {
    assert.throws(() => readKey({ headers: { 'idempotency-key': key } }), { code: 'malformed' });
  });
}

test('the fingerprint is of the instant in UTC', () => {
  assert.deepEqual(fingerprintOf(WANTED), FINGERPRINT);
});

test('a key that is new is taken', async () => {
  assert.equal(await claimKey(connectionOf(undefined), ACCOUNT, 'k', FINGERPRINT), undefined);
});

test('a key that was used for the same gives its body', async () => {
  const connection = connectionOf({ fingerprint: Buffer.from(FINGERPRINT), body: '{}' });
  assert.equal(await claimKey(connection, ACCOUNT, 'k', FINGERPRINT), '{}');
});

test('a key that was used for something else is refused', async () => {
  const connection = connectionOf({ fingerprint: Buffer.alloc(32), body: '{}' });
  await assert.rejects(claimKey(connection, ACCOUNT, 'k', FINGERPRINT), {
    code: 'idempotency-mismatch',
  });
});
