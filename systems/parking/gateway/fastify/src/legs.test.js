import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { test } from 'node:test';

import { NOWHERE, TOKEN, ask, callerOverHttp2, echo, gatewayBefore, recorder } from './stand.js';

const OVER_HTTP2 = { client: 'h2c', upstream: 'h2c' };
const LARGE = 'a'.repeat(1_048_577);

test('a request passes from HTTP/2 to HTTP/1.1, and back', async (t) => {
  const users = await recorder(t, echo);
  const gateway = await gatewayBefore(t, [users.origin], { client: 'h2c' });
  const askHttp2 = callerOverHttp2(t, gateway);
  const headers = { ...TOKEN, cookie: ['a=1', 'b=2'], 'x-kept': ['1', '2'], te: 'trailers' };
  const { status, headers: told, text } = await askHttp2('PROPFIND', '/users/5?', headers, 'body');
  assert.deepEqual([status, text], [200, 'body']);
  assert.deepEqual([told.connection, told['keep-alive']], [undefined, undefined]);
  const [{ method, url, headers: arrived }] = users.requests;
  assert.deepEqual([method, url], ['PROPFIND', '/users/5?']);
  assert.equal(arrived.cookie, 'a=1; b=2');
  assert.deepEqual([arrived['x-kept'], arrived.te], ['1, 2', undefined]);
  assert.equal(arrived['x-forwarded-host'], `127.0.0.1:${gateway.port}`);
});

test('a request passes from HTTP/1.1 to HTTP/2, and back', async (t) => {
  const users = await recorder(t, echo, true);
  const gateway = await gatewayBefore(t, [users.origin], { upstream: 'h2c' });
  const headers = {
    ...{ ...TOKEN, Connection: 'keep-alive, HTTP2-Settings', 'HTTP2-Settings': 'AA' },
    ...{ 'Proxy-Connection': 'x', 'X-Kept': ['1', '2'], 'transfer-encoding': 'chunked' },
  };
  const { status, text } = await ask(gateway, 'POST', '/users/coins?a', headers, 'body');
  assert.deepEqual([status, text], [200, 'body']);
  const [{ headers: arrived }] = users.requests;
  assert.equal(arrived[':path'], '/users/coins?a');
  assert.equal(arrived[':authority'], users.origin.slice('http://'.length));
  assert.deepEqual(
    ['connection', 'proxy-connection', 'http2-settings', 'transfer-encoding'].filter(
      (name) => name in arrived,
    ),
    [],
  );
  assert.deepEqual([arrived['x-kept'], arrived['x-user-id']], ['1, 2', '7']);
});

test('100 requests at the same time share one connection on either leg', async (t) => {
  const waiting = [];
  const users = await recorder(
    t,
    (request, response) => {
      waiting.push(() => echo(request, response));
      if (waiting.length === 100) waiting.forEach((answer) => answer());
    },
    true,
  );
  const gateway = await gatewayBefore(t, [users.origin], OVER_HTTP2);
  const askHttp2 = callerOverHttp2(t, gateway);
  const bodies = Array.from({ length: 100 }, (_, number) => `body ${number}`);
  const answers = await Promise.all(
    bodies.map((body) => askHttp2('POST', '/users/coins', TOKEN, body)),
  );
  assert.deepEqual(
    answers.map(({ text }) => text),
    bodies,
  );
  assert.equal(users.connections, 1);
});

test('the own answers of the gateway are whole, also to HEAD', async (t) => {
  const gateway = await gatewayBefore(t, [NOWHERE], OVER_HTTP2);
  const askHttp2 = callerOverHttp2(t, gateway);
  const answers = await Promise.all([
    askHttp2('HEAD', '/users', {}),
    askHttp2('POST', '/users/coins', { ...TOKEN, 'content-length': LARGE.length }, LARGE),
    askHttp2('GET', '/users', { ...TOKEN, 'x-large': 'a'.repeat(24 * 1024) }),
    askHttp2('GET', '/users'),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 413, 431, 502],
  );
  assert.equal(answers[0].text, '');
});

test('a stream that was not processed goes to another instance, with any method', async (t) => {
  const refusing = await recorder(
    t,
    (request, response) => response.stream.close(constants.NGHTTP2_REFUSED_STREAM),
    true,
  );
  const users = await recorder(t, echo, true);
  const gateway = await gatewayBefore(t, [refusing.origin, users.origin], { upstream: 'h2c' });
  assert.equal((await ask(gateway, 'POST', '/users')).status, 200);
  assert.deepEqual([refusing.requests.length, users.requests.length], [1, 1]);
});

test('a stream that is reset otherwise is a failed attempt', async (t) => {
  const users = await recorder(
    t,
    (request, response) => response.stream.close(constants.NGHTTP2_INTERNAL_ERROR),
    true,
  );
  const gateway = await gatewayBefore(t, [users.origin], { upstream: 'h2c' });
  assert.equal((await ask(gateway, 'POST', '/users/coins', TOKEN, '{}')).status, 502);
  assert.equal(users.requests.length, 1);
});

test('an answer that is reset never looks complete', async (t) => {
  for (const options of [OVER_HTTP2, { upstream: 'h2c' }]) {
    const users = await recorder(
      t,
      ({ stream }, response) => {
        response.write('half', () => stream.destroy(new Error('broken')));
        stream.on('error', () => {});
      },
      true,
    );
    const gateway = await gatewayBefore(t, [users.origin], options);
    const askIt =
      options === OVER_HTTP2
        ? callerOverHttp2(t, gateway)
        : (method, path) => ask(gateway, method, path);
    await assert.rejects(askIt('GET', '/users'));
    assert.deepEqual([users.requests.length, gateway.lines], [1, []]);
  }
});

test('a caller that resets its stream ends its request, and no other', async (t) => {
  let arrive;
  const arrived = new Promise((resolve) => (arrive = resolve));
  const users = await recorder(
    t,
    (request, response) => {
      if (request.url === '/users/1') arrive(response);
      else echo(request, response);
    },
    true,
  );
  const gateway = await gatewayBefore(t, [users.origin], OVER_HTTP2);
  const session = connectHttp2(`http://127.0.0.1:${gateway.port}`);
  t.after(() => session.destroy());
  const givenUp = session.request({ ':method': 'POST', ':path': '/users/1', ...TOKEN });
  givenUp.on('error', () => {});
  givenUp.write('half');
  const { stream } = await arrived;
  const closed = new Promise((resolve) => stream.once('close', resolve));
  givenUp.close(constants.NGHTTP2_CANCEL);
  await closed;
  assert.notEqual(stream.rstCode, constants.NGHTTP2_NO_ERROR);
  const other = session.request({ ':path': '/users/2', ...TOKEN });
  const [head] = await once(other, 'response');
  other.resume();
  assert.equal(head[':status'], 200);
  assert.deepEqual(gateway.lines, []);
});
