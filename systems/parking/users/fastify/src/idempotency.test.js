import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';

import { digestOf, readKey } from './idempotency.js';

for (const key of ['k'.repeat(16), '-'.repeat(64), 'Ab9-'.repeat(5)]) {
  test(`${key} is a key`, () => assert.equal(readKey({ 'idempotency-key': key }), key));
}

for (const key of [undefined, '', 'k'.repeat(15), 'k'.repeat(65), `${'k'.repeat(16)}, k`, '²']) {
  test(`${JSON.stringify(key)} is no key`, () => {
    assert.throws(() => readKey({ 'idempotency-key': key }), { code: 'malformed' });
  });
}

test('the digest is that of SPEC.md', () => {
  const expected = createHash('sha256').update('-7|6,5|é|x').digest();
  assert.deepEqual(digestOf({ amount: -7, userIds: [6, 5], reason: 'é|x' }), expected);
});
