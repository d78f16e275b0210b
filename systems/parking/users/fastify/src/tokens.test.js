import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';

import { Tokens } from './tokens.js';

const SECRET = 'k'.repeat(32);
const NOW_MS = 1_700_000_000_999;

test('a token has its claims and no others, and is signed by the key', () => {
  const tokens = new Tokens({ secret: SECRET, lifetimeSeconds: 60 }, () => NOW_MS);
  const { token, expiresAt } = tokens.issue({ id: 7, role: 'CUSTOMER' });
  const [header, claims, signature] = token.split('.');
  assert.equal(decode(header).alg, 'HS256');
  assert.deepEqual(decode(claims), {
    iss: 'park-users',
    sub: '7',
    role: 'CUSTOMER',
    iat: 1_700_000_000,
    exp: 1_700_000_060,
  });
  const expected = createHmac('sha256', SECRET).update(`${header}.${claims}`).digest('base64url');
  assert.equal(signature, expected);
  assert.equal(expiresAt, '2023-11-14T22:14:20.000Z');
});

function decode(part) {
  return JSON.parse(Buffer.from(part, 'base64url'));
}
