import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readConfig } from './config.js';
import { ConfigurationError } from './environment.js';

const RIGHT = {
  PORT: '9090',
  DATABASE_URL: 'postgres://reader:secret@127.0.0.1:5432/park',
  JWT_SECRET: 'k'.repeat(32),
  INTERNAL_KEY: 'i'.repeat(16),
};

test('the environment is read once, with the defaults of SPEC.md', () => {
  assert.deepEqual(readConfig(RIGHT), {
    host: '127.0.0.1',
    port: 9090,
    protocol: 'h1c',
    keyPair: null,
    database: {
      host: '127.0.0.1',
      port: 5432,
      user: 'reader',
      password: 'secret',
      database: 'park',
      poolSize: 10,
    },
    tokens: { secret: 'k'.repeat(32), lifetimeSeconds: 600 },
    internalKey: 'i'.repeat(16),
    registry: null,
  });
});

test('what is said counts', () => {
  const { database, registry } = readConfig({
    ...RIGHT,
    POOL_SIZE: '2',
    REGISTRY: 'eureka',
    REGISTRY_URL: 'http://127.0.0.1:8761',
  });
  assert.deepEqual([database.poolSize, registry], [2, 'http://127.0.0.1:8761']);
});

test('an address of the registry is not needed without it', () => {
  assert.equal(readConfig({ ...RIGHT, REGISTRY_URL: 'http://127.0.0.1:8761' }).registry, null);
});

for (const [name, value, others] of [
  ['PORT', undefined],
  ['PORT', ''],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', ' 1'],
  ['POOL_SIZE', '0'],
  ['POOL_SIZE', '1001'],
  ['POOL_SIZE', ''],
  ['POOL_SIZE', '1.5'],
  ['TOKEN_SECONDS', '0'],
  ['TOKEN_SECONDS', '86401'],
  ['TOKEN_SECONDS', '1e3'],
  ['UPSTREAM_PROTOCOL', 'h3'],
  ['UPSTREAM_PROTOCOL', ''],
  ['DISCOVERY_PROTOCOL', 'h2'],
  ['REGISTRY', 'consul'],
  ['REGISTRY', ''],
  ['REGISTRY_URL', ''],
  ['REGISTRY_URL', undefined, { REGISTRY: 'eureka' }],
  ['REGISTRY_URL', '127.0.0.1:8761', { REGISTRY: 'eureka' }],
  ['REGISTRY_URL', 'https://127.0.0.1:8761', { REGISTRY: 'eureka' }],
  ['REGISTRY_URL', 'http://127.0.0.1:8761/', { REGISTRY: 'eureka' }],
  ['REGISTRY_URL', 'http://127.0.0.1:0', { REGISTRY: 'eureka' }],
  ['REGISTRY_URL', 'http://', { REGISTRY: 'eureka' }],
  ['TLS_CERT', undefined, { UPSTREAM_PROTOCOL: 'h1' }],
  ['TLS_CERT', '/nowhere/nothing.pem', { UPSTREAM_PROTOCOL: 'h2' }],
  ['TLS_CERT', import.meta.filename, { UPSTREAM_PROTOCOL: 'h2' }],
  ['TLS_KEY', ''],
]) {
  test(`a wrong ${name} (${value && value.slice(-24)}) is named`, () => {
    assert.throws(
      () => readConfig({ ...RIGHT, ...others, [name]: value }),
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
  ['DATABASE_URL', 'postgres://reader:secret@127.0.0.1/park'],
  ['DATABASE_URL', 'postgres://reader:secret@127.0.0.1:0/park'],
  ['DATABASE_URL', 'postgres://reader:secret@127.0.0.1:65536/park'],
  ['DATABASE_URL', 'postgres://reader:secret@127.0.0.1:5432/'],
  ['DATABASE_URL', 'postgres://reader:secret%41@127.0.0.1:5432/park'],
  ['DATABASE_URL', 'mysql://reader:secret@127.0.0.1:5432/park'],
  ['JWT_SECRET', undefined],
  ['JWT_SECRET', 'secret'],
  ['JWT_SECRET', `secret${'k'.repeat(251)}`],
  ['JWT_SECRET', `secret ${'k'.repeat(32)}`],
  ['JWT_SECRET', `secreté${'k'.repeat(32)}`],
  ['INTERNAL_KEY', ''],
  ['INTERNAL_KEY', 'secret'],
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
