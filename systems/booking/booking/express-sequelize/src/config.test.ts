import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ConfigurationError, readConfig } from './config.js';

const SECRET = 'a-secret-of-more-than-32-characters!';
const RIGHT = {
  PORT: '9090',
  DATABASE_URL: 'postgres://reader:pass-word@127.0.0.1:5432/booking',
  JWT_SECRET: SECRET,
};

test('the environment is read once, with the defaults of SPEC.md', () => {
  assert.deepEqual(readConfig(RIGHT), {
    host: '127.0.0.1',
    port: 9090,
    logLevel: 'warn',
    database: {
      host: '127.0.0.1',
      port: 5432,
      user: 'reader',
      password: 'pass-word',
      database: 'booking',
      poolSize: 10,
      poolWaitMs: 1000,
    },
    tokens: { secret: SECRET, ttlSeconds: 3600 },
    passwordCost: 10,
  });
});

test('what is said counts', () => {
  const said = { POOL_SIZE: '2', POOL_WAIT_MS: '60000', JWT_TTL: '1', PASSWORD_COST: '14' };
  const { database, tokens, passwordCost } = readConfig({ ...RIGHT, ...said });
  const { poolSize, poolWaitMs } = database;
  assert.deepEqual([poolSize, poolWaitMs, tokens.ttlSeconds, passwordCost], [2, 60_000, 1, 14]);
});

for (const [name, value] of [
  ['PORT', undefined],
  ['PORT', ''],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', ' 1'],
  ['POOL_SIZE', '0'],
  ['POOL_SIZE', ''],
  ['POOL_SIZE', '1.5'],
  ['POOL_WAIT_MS', '60001'],
  ['JWT_TTL', '0'],
  ['JWT_TTL', '1e3'],
  ['PASSWORD_COST', '3'],
  ['PASSWORD_COST', '15'],
  ['CLIENT_PROTOCOL', 'h2'],
  ['CLIENT_PROTOCOL', ''],
  ['LOG_LEVEL', 'trace'],
] as const) {
  test(`a wrong ${name} (${String(value)}) is named`, () => {
    assert.throws(
      () => readConfig({ ...RIGHT, [name]: value }),
      (error) =>
        error instanceof ConfigurationError &&
        error.message.startsWith(`${name} must be `) &&
        error.message.endsWith(`, not "${value ?? ''}"`),
    );
  });
}

for (const value of [
  undefined,
  '',
  'postgres://reader:pass-word@127.0.0.1/booking',
  'postgres://reader:pass-word@127.0.0.1:0/booking',
  'postgres://reader:pass-word@127.0.0.1:65536/booking',
  'postgres://reader:pass-word@127.0.0.1:5432/',
  'postgres://reader:pass-word%41@127.0.0.1:5432/booking',
  'mysql://reader:pass-word@127.0.0.1:5432/booking',
]) {
  test(`a wrong DATABASE_URL (${String(value)}) is named, and not shown`, () => {
    assert.throws(
      () => readConfig({ ...RIGHT, DATABASE_URL: value }),
      (error) =>
        error instanceof ConfigurationError &&
        error.message.startsWith('DATABASE_URL must be ') &&
        !error.message.includes('pass-word'),
    );
  });
}

for (const value of [undefined, '', 'x'.repeat(31), 'x'.repeat(257), `${'x'.repeat(40)} x`]) {
  test(`a wrong JWT_SECRET (${String(value)}) is named, and not shown`, () => {
    assert.throws(
      () => readConfig({ ...RIGHT, JWT_SECRET: value }),
      (error) =>
        error instanceof ConfigurationError &&
        error.message === 'JWT_SECRET must be 32 to 256 characters of visible ASCII',
    );
  });
}
