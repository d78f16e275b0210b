import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';

import { ConfigurationError, readConfig } from './config.js';

const RIGHT = {
  PORT: '9090',
  UPSTREAM_URL: 'http://127.0.0.1:8688',
  CLIENT_PROTOCOL: 'h1c',
  UPSTREAM_PROTOCOL: 'h1c',
};

test('the environment is read once', () => {
  assert.deepEqual(readConfig(RIGHT), {
    host: '127.0.0.1',
    port: 9090,
    protocol: 'h1c',
    keyPair: null,
    upstream: { origin: 'http://127.0.0.1:8688', protocol: 'h1c', authority: null },
  });
});

test('protocols are h1c where nothing is said', () => {
  const { protocol, upstream } = readConfig({ PORT: '0', UPSTREAM_URL: 'http://127.0.0.1:8688' });
  assert.deepEqual([protocol, upstream.protocol], ['h1c', 'h1c']);
});

test('an upstream over TLS has an https URL', () => {
  assert.throws(
    () => readConfig({ ...RIGHT, UPSTREAM_PROTOCOL: 'h2' }),
    /^Error: UPSTREAM_URL must/,
  );
});

for (const file of [undefined, '/nowhere', import.meta.filename]) {
  test(`TLS_CERT or TLS_CA that is no certificate (${file && basename(file)}) is named`, () => {
    const client = { ...RIGHT, CLIENT_PROTOCOL: 'h2', TLS_CERT: file, TLS_KEY: file };
    assert.throws(() => readConfig(client), /^Error: TLS_CERT must/);
    const upstream = { UPSTREAM_URL: 'https://localhost', UPSTREAM_PROTOCOL: 'h1', TLS_CA: file };
    assert.throws(() => readConfig({ ...RIGHT, ...upstream }), /^Error: TLS_CA must/);
  });
}

for (const [name, value] of [
  ['PORT', undefined],
  ['PORT', ''],
  ['PORT', 'http'],
  ['PORT', '65536'],
  ['UPSTREAM_URL', undefined],
  ['UPSTREAM_URL', '127.0.0.1:8688'],
  ['UPSTREAM_URL', 'https://127.0.0.1:8688'],
  ['UPSTREAM_URL', 'http://127.0.0.1:8688/path'],
  ['UPSTREAM_URL', 'http://127.0.0.1:8688?query'],
  ['CLIENT_PROTOCOL', 'h3'],
  ['UPSTREAM_PROTOCOL', 'http'],
]) {
  test(`a wrong ${name} (${value}) is named`, () => {
    assert.throws(
      () => readConfig({ ...RIGHT, [name]: value }),
      (error) => error instanceof ConfigurationError && error.message.startsWith(`${name} must`),
    );
  });
}
