import assert from 'node:assert/strict';
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
    upstream: 'http://127.0.0.1:8688',
  });
});

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
  ['CLIENT_PROTOCOL', 'h2'],
  ['UPSTREAM_PROTOCOL', 'h2c'],
]) {
  test(`a wrong ${name} (${value}) is named`, () => {
    assert.throws(
      () => readConfig({ ...RIGHT, [name]: value }),
      (error) => error instanceof ConfigurationError && error.message.startsWith(`${name} must`),
    );
  });
}
