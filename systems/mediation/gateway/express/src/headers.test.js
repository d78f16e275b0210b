import assert from 'node:assert/strict';
import { test } from 'node:test';

import { http2Headers, requestHeaders, responseHeaders } from './headers.js';

test('end-to-end fields keep their order, their case and their repetition', () => {
  const headers = ['X-B', '1', 'Content-Type', 'text/plain', 'x-b', '2'];
  assert.deepEqual(requestHeaders({ httpVersionMajor: 1, rawHeaders: headers }), headers);
  assert.deepEqual(responseHeaders(headers), headers);
});

test('what Connection names ends here, in any case and on any line', () => {
  const headers = ['X-One', '1', 'Connection', 'close, x-one', 'connection', 'X-Two', 'x-two', '2'];
  assert.deepEqual(requestHeaders({ httpVersionMajor: 1, rawHeaders: headers }), []);
  assert.deepEqual(responseHeaders(headers), []);
});

test('Host and Expect are not passed on, but only a request has them', () => {
  const headers = ['Host', 'a', 'Expect', '100-continue'];
  assert.deepEqual(requestHeaders({ httpVersionMajor: 1, rawHeaders: headers }), []);
  assert.deepEqual(responseHeaders(headers), headers);
});

test('of HTTP/2, pseudo-header fields end here and crumbs of a cookie are joined', () => {
  const rawHeaders = [':method', 'POST', 'cookie', 'a=1', 'x-b', '2', 'cookie', 'c=3'];
  assert.deepEqual(requestHeaders({ httpVersionMajor: 2, rawHeaders }), [
    'x-b',
    '2',
    'cookie',
    'a=1; c=3',
  ]);
  assert.deepEqual(responseHeaders([':status', '200', 'x-b', '2']), ['x-b', '2']);
});

test('for HTTP/2, names are in lower case and repeated fields in an array', () => {
  assert.deepEqual(
    { ...http2Headers(['X-B', '1', 'Accept', 'a', 'x-b', '2', 'x-b', '3']) },
    { 'x-b': ['1', '2', '3'], accept: 'a' },
  );
});
