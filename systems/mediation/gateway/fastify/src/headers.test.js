import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ownHeaders, requestHeaders, responseHeaders } from './headers.js';

const requestOf = (headers) => ({ raw: { headers } });

test('end-to-end fields travel on, repeated ones too', () => {
  const headers = { 'content-type': 'text/plain', 'x-a': ['1', '2'] };
  assert.deepEqual(requestHeaders(requestOf(headers), headers), headers);
  assert.deepEqual(responseHeaders(headers), headers);
});

test('hop-by-hop fields end here', () => {
  const headers = { 'keep-alive': 'timeout=1', te: 'trailers', upgrade: 'h2c', connection: 'te' };
  assert.deepEqual(requestHeaders(requestOf(headers), headers), {});
  assert.deepEqual(responseHeaders(headers), {});
});

for (const connection of ['close, X-A', ['close', 'x-a']]) {
  test(`what Connection of an answer names (${connection}) ends here`, () => {
    assert.deepEqual(responseHeaders({ connection, 'x-a': '1', 'x-b': '2' }), { 'x-b': '2' });
  });
}

test('a type that the caller did not give is not passed on', () => {
  const headers = { 'content-type': 'application/octet-stream', 'x-a': '1' };
  assert.deepEqual(requestHeaders(requestOf({ 'x-a': '1' }), headers), { 'x-a': '1' });
});

test('Expect ends here, but only a request has it', () => {
  const headers = { expect: '100-continue' };
  assert.deepEqual(requestHeaders(requestOf(headers), headers), {});
  assert.deepEqual(responseHeaders({ expect: 'a' }), { expect: 'a' });
});

test('a request of the gateway has the fields of its own body alone', () => {
  const own = { host: 'a', 'content-type': 'application/xml', 'content-length': 7 };
  assert.deepEqual(ownHeaders({}, { ...own, cookie: 'b' }), own);
});
