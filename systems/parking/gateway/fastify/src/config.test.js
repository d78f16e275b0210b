import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readConfig } from './config.js';
import { ConfigurationError } from './environment.js';

const RIGHT = {
  PORT: '8080',
  STATIC_INSTANCES: 'users=http://127.0.0.1:8090,http://[::1]:8091',
  JWT_SECRET: 'k'.repeat(32),
};
const MANY = Array.from({ length: 17 }, (_, number) => `http://127.0.0.1:${9001 + number}`);

test('the environment is read once, with the defaults of SPEC.md', () => {
  assert.deepEqual(readConfig(RIGHT), {
    host: '127.0.0.1',
    port: 8080,
    client: { protocol: 'h1c', keyPair: null },
    upstream: { protocol: 'h1c', authority: null, limitMs: 5000 },
    instances: { origins: ['http://127.0.0.1:8090', 'http://[::1]:8091'], registry: null },
    secret: 'k'.repeat(32),
    allowedOrigin: null,
  });
});

test('what is said counts', () => {
  const { instances, upstream, allowedOrigin } = readConfig({
    ...RIGHT,
    REGISTRY: 'eureka',
    REGISTRY_URL: 'http://127.0.0.1:8761',
    UPSTREAM_TIMEOUT_MS: '60000',
    ALLOWED_ORIGIN: 'https://park.example:8443',
  });
  assert.deepEqual(instances, { origins: null, registry: 'http://127.0.0.1:8761' });
  assert.deepEqual([upstream.limitMs, allowedOrigin], [60_000, 'https://park.example:8443']);
});

test('16 instances are taken', () => {
  const { instances } = readConfig({
    ...RIGHT,
    STATIC_INSTANCES: `users=${MANY.slice(1).join(',')}`,
  });
  assert.equal(instances.origins.length, 16);
});

for (const [name, value, others] of [
  ['PORT', undefined],
  ['PORT', ''],
  ['PORT', '65536'],
  ['CLIENT_PROTOCOL', 'http'],
  ['UPSTREAM_PROTOCOL', ''],
  ['DISCOVERY_PROTOCOL', 'h2'],
  ['UPSTREAM_TIMEOUT_MS', '0'],
  ['UPSTREAM_TIMEOUT_MS', '60001'],
  ['UPSTREAM_TIMEOUT_MS', '+5'],
  ['REGISTRY', 'consul'],
  ['REGISTRY_URL', undefined, { REGISTRY: 'eureka' }],
  ['REGISTRY_URL', 'http://', { REGISTRY: 'eureka' }],
  ['REGISTRY_URL', 'ftp://127.0.0.1:8761', { REGISTRY: 'eureka' }],
  ['REGISTRY_URL', ''],
  ['STATIC_INSTANCES', undefined],
  ['STATIC_INSTANCES', ''],
  ['STATIC_INSTANCES', '', { REGISTRY: 'eureka', REGISTRY_URL: 'http://127.0.0.1:8761' }],
  ['STATIC_INSTANCES', 'users='],
  ['STATIC_INSTANCES', 'http://127.0.0.1:1'],
  ['STATIC_INSTANCES', 'parks=http://127.0.0.1:1'],
  ['STATIC_INSTANCES', 'users=http://127.0.0.1:1,'],
  ['STATIC_INSTANCES', 'users=https://127.0.0.1:1'],
  ['STATIC_INSTANCES', 'users=http://127.0.0.1:1/path'],
  ['STATIC_INSTANCES', `users=${MANY.join(',')}`],
  ['ALLOWED_ORIGIN', ''],
  ['ALLOWED_ORIGIN', 'park.example'],
  ['ALLOWED_ORIGIN', 'https://park.example/'],
  ['ALLOWED_ORIGIN', 'https://park example'],
  ['TLS_CERT', undefined, { CLIENT_PROTOCOL: 'h1' }],
  ['TLS_CERT', import.meta.filename, { CLIENT_PROTOCOL: 'h2' }],
  ['TLS_CA', '/nowhere/nothing.pem', { UPSTREAM_PROTOCOL: 'h2' }],
  ['TLS_CA', import.meta.filename, { UPSTREAM_PROTOCOL: 'h1' }],
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

for (const value of [undefined, 'secret', `secret${'k'.repeat(251)}`, `secret ${'k'.repeat(32)}`]) {
  test(`a wrong JWT_SECRET (${value}) is named, and not shown`, () => {
    assert.throws(
      () => readConfig({ ...RIGHT, JWT_SECRET: value }),
      (error) =>
        error instanceof ConfigurationError &&
        error.message.startsWith('JWT_SECRET must be ') &&
        !error.message.includes('secret'),
    );
  });
}
