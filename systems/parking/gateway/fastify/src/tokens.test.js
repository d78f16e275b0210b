import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';

import { Tokens } from './tokens.js';

const SECRET = 'loadstone-park-secret-for-tests-only';
const NOW_SECONDS = 1_700_000_000;
const HEADER = { alg: 'HS256', typ: 'JWT' };
const CLAIMS = { iss: 'park-users', sub: '7', role: 'CUSTOMER', exp: NOW_SECONDS + 1 };
// That of SPEC.md.
const TOKEN =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJwYXJrLXVzZXJzIiwic3ViIjoiMSIsInJvbGUiOiJTVVBFUlZJU09SIiwiaWF0IjoxNzAwMDAwMDAwLCJleHAiOjQxMDI0NDQ4MDB9.Xa9f7dbHrzE7YEPmdjIR4ZcCN5kAQKpw0Kc73QwHwqA';

const tokens = new Tokens(SECRET, () => NOW_SECONDS * 1000);

function encode(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return Buffer.from(text).toString('base64url');
}

function signed(claims, header = HEADER, key = SECRET, hash = 'sha256') {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`;
}

function callerOf(token) {
  return tokens.authenticate([`Bearer ${token}`]);
}

test('the token of SPEC.md is good', () => {
  assert.deepEqual(callerOf(TOKEN), { id: '1', role: 'SUPERVISOR' });
});

test('a good token names its caller, whatever else is in it', () => {
  for (const claims of [
    CLAIMS,
    { ...CLAIMS, nbf: NOW_SECONDS, iat: NOW_SECONDS + 100, aud: 'a', jti: 5 },
    { ...CLAIMS, exp: NOW_SECONDS + 0.5 },
  ]) {
    for (const header of [HEADER, { alg: 'HS256' }, { ...HEADER, typ: 'at+jwt', kid: '1' }]) {
      assert.deepEqual(callerOf(signed(claims, header)), { id: '7', role: 'CUSTOMER' });
    }
  }
  assert.deepEqual(tokens.authenticate([`bEARER ${TOKEN}`]), { id: '1', role: 'SUPERVISOR' });
});

for (const values of [[], [''], ['Bearer'], ['Basic eDp5'], [`Bearers ${TOKEN}`], [TOKEN]]) {
  test(`${JSON.stringify(values).slice(0, 20)} has no token`, () => {
    assert.throws(() => tokens.authenticate(values), { code: 'token-missing' });
  });
}

test('two fields are no token, whatever they are', () => {
  const values = [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`];
  assert.throws(() => tokens.authenticate(values), { code: 'token-invalid' });
});

const [header, payload, signature] = TOKEN.split('.');

for (const [what, token] of Object.entries({
  'another signature': `${header}.${payload}.A${signature.slice(1)}`,
  'spare bits of the last character': TOKEN.replace(/A$/, 'B'),
  'two parts': `${header}.${payload}`,
  'four parts': `${TOKEN}.${signature}`,
  'an empty signature': `${header}.${payload}.`,
  padding: `${header}.${payload}=.${signature}`,
  'another key': signed(CLAIMS, HEADER, 'k'.repeat(32)),
  'no algorithm': signed(CLAIMS, { typ: 'JWT' }),
  none: signed(CLAIMS, { alg: 'none' }),
  'another case': signed(CLAIMS, { alg: 'hs256' }),
  HS512: signed(CLAIMS, { alg: 'HS512' }, SECRET, 'sha512'),
  crit: signed(CLAIMS, { ...HEADER, crit: [] }),
  'a header that is a list': signed(CLAIMS, ['HS256']),
  'a header that is null': signed(CLAIMS, 'null'),
  'claims that are a list': signed([CLAIMS]),
  'claims that are null': signed('null'),
  'claims that are no JSON': signed('{'),
  'exp that is now': signed({ ...CLAIMS, exp: NOW_SECONDS }),
  'exp that is a text': signed({ ...CLAIMS, exp: String(NOW_SECONDS + 1) }),
  'no exp': signed({ ...CLAIMS, exp: undefined }),
  'nbf that is ahead': signed({ ...CLAIMS, nbf: NOW_SECONDS + 1 }),
  'nbf that is null': signed({ ...CLAIMS, nbf: null }),
  'another iss': signed({ ...CLAIMS, iss: 'park' }),
  'no iss': signed({ ...CLAIMS, iss: undefined }),
  'sub 0': signed({ ...CLAIMS, sub: '0' }),
  'sub of 17 digits': signed({ ...CLAIMS, sub: '12345678901234567' }),
  'sub with an end of line': signed({ ...CLAIMS, sub: '1\n' }),
  'sub that is a number': signed({ ...CLAIMS, sub: 7 }),
  'an unknown role': signed({ ...CLAIMS, role: 'supervisor' }),
  'a list of roles': signed({ ...CLAIMS, role: ['SUPERVISOR'] }),
})) {
  test(`a token with ${what} is not valid`, () => {
    assert.throws(() => callerOf(token), { code: 'token-invalid' });
  });
}
