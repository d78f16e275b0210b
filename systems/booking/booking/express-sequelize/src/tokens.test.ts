import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type JWTPayload, SignJWT, decodeJwt } from 'jose';

import { Tokens } from './tokens.js';

const SECRET = 'a-secret-of-more-than-32-characters!';
const OTHER = 'another-secret-of-32-characters-or-so';
const TTL = 60;
const NOW = 2_214_208_800;

/** Tokens of a clock that stands still, in seconds. */
function tokensAt(seconds: number): Promise<Tokens> {
  return Tokens.create({ secret: SECRET, ttlSeconds: TTL }, () => seconds * 1000);
}

const CLAIMS = {
  iss: 'booking',
  aud: 'booking',
  sub: '7',
  role: 'player',
  iat: NOW,
  exp: NOW + TTL,
};

function sign(payload: JWTPayload, { alg = 'HS256', secret = SECRET } = {}): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret));
}

async function refuses(authorization: string | undefined, seconds = NOW): Promise<void> {
  const tokens = await tokensAt(seconds);
  await assert.rejects(tokens.callerOf(authorization), { code: 'unauthenticated' });
}

test('a token has these claims and no others', async () => {
  const tokens = await tokensAt(NOW);
  const token = await tokens.issue({ id: 7, role: 'player' });
  assert.deepEqual(decodeJwt(token), CLAIMS);
  assert.deepEqual(await tokens.callerOf(`Bearer ${token}`), { id: 7, role: 'player' });
});

test('the scheme is in any case of letters', async () => {
  const tokens = await tokensAt(NOW);
  const token = await sign(CLAIMS);
  for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
    assert.equal((await tokens.callerOf(`${scheme} ${token}`)).id, 7);
  }
});

test('other claims are not looked at', async () => {
  const tokens = await tokensAt(NOW);
  const token = await sign({ ...CLAIMS, iat: 'x' as unknown as number, nbf: NOW + 9, more: [] });
  assert.equal((await tokens.callerOf(`Bearer ${token}`)).id, 7);
});

test('a token expires to the second', async () => {
  const token = `Bearer ${await sign(CLAIMS)}`;
  const tokens = await tokensAt(NOW + TTL - 1);
  assert.equal((await tokens.callerOf(token)).id, 7);
  await refuses(token, NOW + TTL);
});

test('no token, and what is none, are refused', async () => {
  const token = await sign(CLAIMS);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const none = (alg: string) => Buffer.from(JSON.stringify({ alg })).toString('base64url');
  for (const authorization of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    token,
    `Bearer ${token} `,
    `Bearer ${token}=`,
    `Bearer ${header}.${payload}.`,
    `Bearer ${none('none')}.${payload}.`,
    `Bearer ${none('NONE')}.${payload}.${signature}`,
    `Bearer ${header}.${payload}.${signature.slice(0, -1)}`,
  ]) {
    await refuses(authorization);
  }
});

test('a signature is the one text that it is', async () => {
  const token = await sign(CLAIMS);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = token.at(-1);
  for (const letter of letters) {
    if (letter !== last) await refuses(`Bearer ${token.slice(0, -1)}${letter}`);
  }
});

test('another algorithm or key is refused', async () => {
  for (const alg of ['HS384', 'HS512']) await refuses(`Bearer ${await sign(CLAIMS, { alg })}`);
  await refuses(`Bearer ${await sign(CLAIMS, { secret: OTHER })}`);
});

for (const [name, values] of [
  ['iss', [undefined, 'other', 1]],
  ['aud', [undefined, 'other', 1, ['booking']]],
  ['sub', [undefined, '', '0', '07', 'x', 7, '12345678901234567']],
  ['role', [undefined, 'admin', 1, null]],
  ['exp', [undefined, String(NOW + TTL), null]],
] as const) {
  for (const value of values) {
    test(`a token of the ${name} ${JSON.stringify(value)} is refused`, async () => {
      const { [name]: taken, ...rest } = CLAIMS;
      assert.ok(taken);
      const payload: Record<string, unknown> =
        value === undefined ? rest : { ...rest, [name]: value };
      await refuses(`Bearer ${await sign(payload)}`);
    });
  }
}
