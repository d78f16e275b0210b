import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ConfigurationError, readConfig } from './config.js';

const RIGHT = {
  PORT: '9090',
  DATABASE_URL: 'mysql://reader:secret@127.0.0.1:3306/conferencedb',
  COUNTRY_URL: 'http://127.0.0.1:9000',
};

test('the environment is read once, with the defaults of SPEC.md', () => {
  assert.deepEqual(readConfig(RIGHT), {
    host: '127.0.0.1',
    port: 9090,
    logLevel: 'warn',
    database: {
      host: '127.0.0.1',
      port: 3306,
      user: 'reader',
      password: 'secret',
      database: 'conferencedb',
      poolSize: 10,
      timeoutMs: 1000,
    },
    country: {
      origin: 'http://127.0.0.1:9000',
      timeoutMs: 2000,
      connections: 64,
      retries: 0,
      retryIntervalMs: 100,
      hasBreaker: false,
    },
    lookups: { strategy: 'sequential', width: 8, batchSize: 100 },
  });
});

test('what is said counts', () => {
  const { lookups, country } = readConfig({ ...RIGHT, STRATEGY: 'batched', BREAKER: 'on' });
  assert.deepEqual([lookups.strategy, country.hasBreaker], ['batched', true]);
});

for (const [name, value] of [
  ['PORT', undefined],
  ['PORT', ''],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', ' 1'],
  ['COUNTRY_URL', undefined],
  ['COUNTRY_URL', '127.0.0.1:9000'],
  ['COUNTRY_URL', 'https://127.0.0.1:9000'],
  ['COUNTRY_URL', 'http://127.0.0.1:9000/path'],
  ['POOL_SIZE', '0'],
  ['POOL_SIZE', ''],
  ['POOL_SIZE', '1.5'],
  ['DB_TIMEOUT_MS', '60001'],
  ['COUNTRY_TIMEOUT_MS', '0'],
  ['COUNTRY_CONNECTIONS', '1001'],
  ['STRATEGY', 'Batched'],
  ['WIDTH', '0'],
  ['BATCH_SIZE', '1001'],
  ['RETRIES', '11'],
  ['RETRY_INTERVAL_MS', '1e3'],
  ['BREAKER', 'yes'],
  ['CLIENT_PROTOCOL', 'h2'],
  ['LOOKUP_PROTOCOL', 'h2c'],
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

for (const value of [
  undefined,
  '',
  'mysql://reader:secret@127.0.0.1/conferencedb',
  'mysql://reader:secret@127.0.0.1:0/conferencedb',
  'mysql://reader:secret@127.0.0.1:65536/conferencedb',
  'mysql://reader:secret@127.0.0.1:3306/',
  'mysql://reader:secret%41@127.0.0.1:3306/conferencedb',
  'postgres://reader:secret@127.0.0.1:3306/conferencedb',
]) {
  test(`a wrong DATABASE_URL (${value}) is named, and not shown`, () => {
    assert.throws(
      () => readConfig({ ...RIGHT, DATABASE_URL: value }),
      (error) => /^DATABASE_URL must be /.test(error.message) && !/secret/.test(error.message),
    );
  });
}
