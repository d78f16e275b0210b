import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ConfigurationError, readConfig } from './config.js';

const RIGHT = {
  PORT: '9090',
  DATABASE_URL: 'postgres://reader:secret@127.0.0.1:5432/booking',
  JWT_SECRET: 'k'.repeat(32),
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
      password: 'secret',
      database: 'booking',
      poolSize: 10,
      poolWaitMs: 1000,
    },
    tokens: { secret: 'k'.repeat(32), ttlSeconds: 3600 },
    passwordCost: 10,
  });
});

test('what is said counts', () => {
  const { database, passwordCost } = readConfig({ ...RIGHT, POOL_SIZE: '2', PASSWORD_COST: '4' });
  assert.deepEqual([database.poolSize, passwordCost], [2, 4]);
});

for (const [name, value] of [
  ['PORT', undefined],
  ['PORT', ''],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', ' 1'],
  ['POOL_SIZE', '0'],
  ['POOL_SIZE', '1001'],
  ['POOL_SIZE', ''],
  ['POOL_SIZE', '1.5'],
  ['POOL_WAIT_MS', '60001'],
  ['POOL_WAIT_MS', '1e3'],
  ['JWT_TTL', '0'],
  ['JWT_TTL', '86401'],
  ['PASSWORD_COST', '3'],
  ['PASSWORD_COST', '15'],
  ['CLIENT_PROTOCOL', 'h2'],
  ['CLIENT_PROTOCOL', ''],
  ['LOG_LEVEL', 'trace'],
]) {
  test(`a wrong ${name} (${value}) is named`, () => {
    assert.throws(
      () => readConfig({ ...RIGHT, [name]: value }),
      (error) =>
        error instanceof ConfigurationError &&
        error.message.startsWith(`${name} must be `) &&
        error.message.endsWith(`, not "${value ?? ''}"`),
    );
  });
}

for (const [name, value] of [
  ['DATABASE_URL', undefined],
  ['DATABASE_URL', ''],
  ['DATABASE_URL', 'postgres://reader:secret@127.0.0.1/booking'],
  ['DATABASE_URL', 'postgres://reader:secret@127.0.0.1:0/booking'],
  ['DATABASE_URL', 'postgres://reader:secret@127.0.0.1:65536/booking'],
  ['DATABASE_URL', 'postgres://reader:secret@127.0.0.1:5432/'],
  ['DATABASE_URL', 'postgres://reader:secret%41@127.0.0.1:5432/booking'],
  ['DATABASE_URL', 'mysql://reader:secret@127.0.0.1:5432/booking'],
  ['JWT_SECRET', undefined],
  ['JWT_SECRET', ''],
  ['JWT_SECRET', 'secret'],
  ['JWT_SECRET', `secret${'k'.repeat(251)}`],
  ['JWT_SECRET', `secret ${'k'.repeat(32)}`],
  ['JWT_SECRET', `secreté${'k'.repeat(32)}`],
]) {
  test(`a wrong ${name} (${value}) is named, and not shown`, () => {
    assert.throws(
      () => readConfig({ ...RIGHT, [name]: value }),
      (error) =>
        error instanceof ConfigurationError &&
        error.message.startsWith(`${name} must be `) &&
        !error.message.includes('secret'),
    );
  });
}
