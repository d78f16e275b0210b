import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  answerFields,
  http2AnswerFields,
  http2RequestFields,
  requestFields,
  valuesOf,
} from './fields.js';

test('the values of a field are found in any case of letters', () => {
  assert.deepEqual(valuesOf(['A', '1', 'b', '2', 'a', '3'], 'a'), ['1', '3']);
});

test('what is of one hop, or the gateway sets, does not reach the service', () => {
  const rawHeaders = [
    ...['Host', 'park.example', 'Connection', 'X-Hop, close', 'connection', 'x-other'],
    ...['X-Hop', '1', 'x-OTHER', '2', 'TE', 'trailers', 'Expect', '100-continue'],
    ...['X-User-ID', '5', 'x-user-role', 'DEVICE', 'Authorization', 'Bearer a', 'Upgrade', 'h2c'],
    ...['X-Forwarded-For', '192.0.2.1', 'X-Request-Id', 'mine', 'Transfer-Encoding', 'chunked'],
    ...['X-Kept', 'a', 'X-Kept', 'b', 'Forwarded', 'for=a', 'Cookie', 'a=1', 'Cookie', 'b=2'],
  ];
  assert.deepEqual(requestFields({ rawHeaders, httpVersionMajor: 1 }, ['x-user-id', '7']), [
    ...['X-Kept', 'a', 'X-Kept', 'b', 'Forwarded', 'for=a', 'Cookie', 'a=1', 'Cookie', 'b=2'],
    ...['x-user-id', '7'],
  ]);
});

test('pseudo-headers do not travel, and a cookie in crumbs is joined', () => {
  const rawHeaders = [
    ...[':method', 'GET', ':path', '/users', 'cookie', 'a=1', 'x-kept', '1', 'cookie', 'b=2'],
  ];
  assert.deepEqual(requestFields({ rawHeaders, httpVersionMajor: 2 }, []), [
    ...['x-kept', '1', 'cookie', 'a=1; b=2'],
  ]);
});

test('what is of one hop, or the gateway sets, does not reach the caller', () => {
  const fields = [
    ...[':status', '200', 'Keep-Alive', 'timeout=77', 'Connection', 'X-Hop', 'X-Hop', '1'],
    ...['X-Request-Id', 'other', 'Access-Control-Allow-Origin', '*', 'Trailer', 'X-Last'],
    ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Content-Length', '5'],
  ];
  assert.deepEqual(answerFields(fields, ['x-request-id', 'mine']), [
    ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Content-Length', '5', 'x-request-id', 'mine'],
  ]);
});

test('on HTTP/2 names are in lower case, and each is there once', () => {
  const fields = ['Cookie', 'a=1', 'X', '1', 'cookie', 'b=2', 'x', '2', 'HTTP2-Settings', 'AA'];
  assert.deepEqual({ ...http2RequestFields(fields) }, { cookie: 'a=1; b=2', x: '1, 2' });
  assert.deepEqual(
    { ...http2AnswerFields(['Set-Cookie', 'a', 'X', '1', 'set-cookie', 'b', 'set-cookie', 'c']) },
    { 'set-cookie': ['a', 'b', 'c'], x: '1' },
  );
});
