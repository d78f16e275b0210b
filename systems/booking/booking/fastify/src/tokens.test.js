import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';

import { Tokens } from './tokens.js';

const SECRET = 'k'.repeat(32);
const TTL_SECONDS = 60;
const NOW_SECONDS = 2_000_000_000;

const RIGHT = {
  iss: 'booking',
  aud: 'booking',
  sub: '7',
  role: 'owner',
  iat: NOW_SECONDS,
  exp: NOW_SECONDS + TTL_SECONDS,
};

const tokensAt = (seconds) =>
  new Tokens({ secret: SECRET, ttlSeconds: TTL_SECONDS }, () => seconds * 1000);
const tokens = tokensAt(NOW_SECONDS);

const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of these claims, made without the library. */
function tokenOf(claims, { alg = 'HS256', hash = 'sha256', secret = SECRET } = {}) {
  const signed = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
}

test('a token that was issued names its account', () => {
  const issued = new Tokens({ secret: SECRET, ttlSeconds: TTL_SECONDS });
  assert.deepEqual(issued.read(issued.issue({ id: 7, role: 'player' })), { id: 7, role: 'player' });
});

test('it has its claims and no others', () => {
  const token = tokens.issue({ id: 7, role: 'player' });
  const { iat, exp, ...others } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));
  assert.deepEqual(others, { iss: 'booking', aud: 'booking', sub: '7', role: 'player' });
  assert.equal(exp - iat, TTL_SECONDS);
});

test('a token of another maker is read', () => {
  assert.deepEqual(tokens.read(tokenOf(RIGHT)), { id: 7, role: 'owner' });
  assert.deepEqual(tokens.read(tokenOf({ ...RIGHT, iat: 'x', nbf: 1e12, more: 1 })), {
    id: 7,
    role: 'owner',
  });
});

for (const change of [
  { iss: undefined },
  { iss: 'other' },
  { iss: ['booking'] },
  { aud: undefined },
  { aud: 'other' },
  { aud: ['booking'] },
  { sub: undefined },
  { sub: 7 },
  { sub: '0' },
  { sub: '07' },
  { sub: '12345678901234567' },
  { role: undefined },
  { role: 'admin' },
  { role: ['owner'] },
  { exp: undefined },
  { exp: String(RIGHT.exp) },
  { exp: null },
  { exp: NOW_SECONDS },
]) {
  test(`claims with ${JSON.stringify(change)} (${Object.keys(change)}) are refused`, () => {
    assert.equal(tokens.read(tokenOf({ ...RIGHT, ...change })), undefined);
  });
}

test('a token is expired from its first second on', () => {
  assert.notEqual(tokensAt(RIGHT.exp - 0.001).read(tokenOf(RIGHT)), undefined);
  assert.equal(tokensAt(RIGHT.exp).read(tokenOf(RIGHT)), undefined);
});

test('another algorithm is refused', () => {
  for (const alg of ['HS384', 'HS512']) {
    const hash = alg.replace('HS', 'sha');
    assert.equal(tokens.read(tokenOf(RIGHT, { alg, hash })), undefined);
  }
  for (const alg of ['none', 'NONE', 'nOnE']) {
    const unsigned = `${encode({ alg })}.${encode(RIGHT)}.`;
    assert.equal(tokens.read(unsigned), undefined);
    assert.equal(tokens.read(tokenOf(RIGHT, { alg })), undefined);
  }
});

test('a key that is another is refused', () => {
  assert.equal(tokens.read(tokenOf(RIGHT, { secret: 'l'.repeat(32) })), undefined);
});

test('each character of a token counts', () => {
  const token = tokenOf(RIGHT);
  for (let index = 0; index < token.length; index += 1) {
    const other = token[index] === 'B' ? 'C' : 'B';
    const changed = token.slice(0, index) + other + token.slice(index + 1);
    assert.equal(tokens.read(changed), undefined, `character ${index}`);
  }
});

for (const token of ['', '.', '..', 'a.b.c', `${tokenOf(RIGHT)}.`, `${tokenOf(RIGHT)}=`, ' ']) {
  test(`${JSON.stringify(token)} is no token`, () => assert.equal(tokens.read(token), undefined));
}

for (const claims of [null, [], 1, 'booking']) {
  test(`${JSON.stringify(claims)} are no claims`, () => {
    assert.equal(tokens.read(tokenOf(claims)), undefined);
  });
}
