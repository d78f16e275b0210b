import assert from 'node:assert/strict';
import { test } from 'node:test';

import { requestHeaders, responseHeaders } from './headers.js';

test('end-to-end fields keep their order, their case and their repetition', () => {
  const headers = ['X-B', '1', 'Content-Type', 'text/plain', 'x-b', '2'];
  assert.deepEqual(requestHeaders(headers), headers);
  assert.deepEqual(responseHeaders(headers), headers);
});

test('what Connection names ends here, in any case and on any line', () => {
  const headers = ['X-One', '1', 'Connection', 'close, x-one', 'connection', 'X-Two', 'x-two', '2'];
  assert.deepEqual(requestHeaders(headers), []);
  assert.deepEqual(responseHeaders(headers), []);
});

test('Host and Expect are not passed on, but only a request has them', () => {
  const headers = ['Host', 'a', 'Expect', '100-continue'];
  assert.deepEqual(requestHeaders(headers), []);
  assert.deepEqual(responseHeaders(headers), headers);
});
