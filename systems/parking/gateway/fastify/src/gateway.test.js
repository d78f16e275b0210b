import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { test } from 'node:test';

import { NOWHERE, ORIGIN, TOKEN, ask, echo, gatewayBefore, recorder } from './stand.js';

const LARGE = 'a'.repeat(1_048_577);
const JSON_TYPE = { 'content-type': 'application/json' };

test('a request arrives as it was sent, with the fields of the gateway', async (t) => {
  const users = await recorder(t, echo);
  const gateway = await gatewayBefore(t, [users.origin]);
  const target = '/users/%41//b?x=%2F&x=1?&';
  const headers = {
    ...{ ...TOKEN, 'X-User-Id': '1', 'x-forwarded-for': '192.0.2.1', 'x-kept': ['a', 'b'] },
    ...{ connection: 'x-hop', 'x-hop': '1', te: 'trailers', 'x-request-id': 'of-the-caller' },
    host: 'park.example',
  };
  const { status, headers: told, text } = await ask(gateway, 'PUT', target, headers, 'body\0');
  assert.deepEqual([status, text, told['x-request-id']], [200, 'body\0', 'of-the-caller']);
  const [{ method, url, headers: arrived }] = users.requests;
  assert.deepEqual([method, url], ['PUT', target]);
  assert.deepEqual(
    { ...arrived },
    {
      ...{ host: users.origin.slice('http://'.length), connection: 'keep-alive' },
      ...{ 'x-kept': 'a, b', 'content-length': '5', 'x-request-id': 'of-the-caller' },
      ...{ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' },
      ...{ 'x-forwarded-host': 'park.example', 'x-user-id': '7', 'x-user-role': 'CUSTOMER' },
    },
  );
});

test('an answer comes back as it is, but for the fields of one hop', async (t) => {
  const users = await recorder(t, (request, response) => {
    const fields = [
      ...['X-Request-Id', 'other', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Vary', 'Accept'],
      ...['Connection', 'x-hop', 'X-Hop', '1', 'Location', '/users/5', 'Content-Length', '2'],
    ];
    response.writeHead(201, fields).end('{}');
  });
  const gateway = await gatewayBefore(t, [users.origin]);
  const { status, headers, raw, text } = await ask(gateway, 'POST', '/users', { origin: ORIGIN });
  assert.deepEqual([status, text, headers.location], [201, '{}', '/users/5']);
  assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2']);
  assert.equal(headers.vary, 'Accept, Origin');
  assert.equal(headers['access-control-allow-origin'], ORIGIN);
  assert.equal(headers['x-hop'], undefined);
  assert.equal(raw.filter((name) => name.toLowerCase() === 'x-request-id').length, 1);
  assert.match(headers['x-request-id'], /^[0-9a-f-]{36}$/);
  assert.equal(users.requests[0].headers['x-user-id'], undefined);
});

test('every method arrives, and answers without a body stay without', async (t) => {
  const users = await recorder(t, (request, response) => response.writeHead(204).end());
  const gateway = await gatewayBefore(t, [users.origin]);
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
  for (const method of methods) {
    const { status, text } = await ask(gateway, method, '/users/5');
    assert.deepEqual([status, text], [204, '']);
  }
  assert.deepEqual(
    users.requests.map(({ method }) => method),
    methods,
  );
  assert.equal(users.connections, 1);
});

for (const [method, path, headers, body, code] of [
  ['GET', '/users/..', {}, undefined, 'malformed'],
  ['GET', '/nothing/%2e%2E', {}, undefined, 'malformed'],
  ['GET', '/usersx', TOKEN, undefined, 'not-found'],
  ['POST', '/internal/coins/debits', TOKEN, '{}', 'not-found'],
  ['GET', '/users', {}, undefined, 'token-missing'],
  ['POST', '/users/', { authorization: 'Basic eA' }, '{}', 'token-missing'],
  ['OPTIONS', '/users', { origin: `${ORIGIN}/` }, undefined, 'token-missing'],
  ['PUT', '/users', { authorization: 'Bearer a.b.c' }, LARGE, 'token-invalid'],
  ['GET', '/users', { authorization: [TOKEN.authorization, 'a'] }, undefined, 'token-invalid'],
  ['POST', '/users', JSON_TYPE, LARGE, 'too-large'],
  ['PUT', '/health', {}, '{}', 'method-not-allowed'],
  ['GET', '/users', { ...TOKEN, 'x-large': 'a'.repeat(24 * 1024) }, undefined, 'fields-too-large'],
]) {
  test(`${method} ${path} with ${Object.keys(headers)} is ${code}`, async (t) => {
    const users = await recorder(t, echo);
    const gateway = await gatewayBefore(t, [users.origin]);
    const answer = await ask(gateway, method, path, headers, body);
    const problem = JSON.parse(answer.text);
    assert.deepEqual([problem.code, problem.type], [code, `urn:park:${code}`]);
    assert.equal(answer.status, problem.status);
    assert.equal(answer.headers['content-type'], 'application/problem+json');
    if (answer.status !== 431) {
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(answer.headers['x-instance-id'], `gateway-${gateway.port}`);
      assert.match(answer.headers['x-request-id'], /^[0-9a-f-]{36}$/);
    }
    assert.deepEqual([users.requests, gateway.lines], [[], []]);
  });
}

test('health is known without a token, once there is a list', async (t) => {
  let isReady = false;
  const gateway = await gatewayBefore(t, [], { isReady: () => isReady });
  const { status, headers } = await ask(gateway, 'GET', '/health', {});
  assert.deepEqual([status, headers['retry-after']], [503, '1']);
  isReady = true;
  const { text } = await ask(gateway, 'GET', '/health?a', {});
  assert.equal(text, '{"status":"up"}');
});

test('a preflight is answered, whatever its path, and other answers may be read', async (t) => {
  const gateway = await gatewayBefore(t, []);
  const asked = { origin: ORIGIN, 'access-control-request-method': 'PUT' };
  for (const path of ['/users', '/nothing', '/health']) {
    const { status, headers, text } = await ask(gateway, 'OPTIONS', path, asked);
    assert.deepEqual([status, text], [204, '']);
    assert.equal(headers['access-control-allow-methods'], 'GET, POST, PUT');
    assert.equal(headers['access-control-max-age'], '600');
    assert.equal(headers['cache-control'], 'no-store');
  }
  const { headers } = await ask(gateway, 'GET', '/nothing', { origin: ORIGIN });
  assert.equal(headers['access-control-allow-origin'], ORIGIN);
  assert.equal(headers.vary, 'Origin');
});

test('a request without a connection goes to another instance, with any method', async (t) => {
  const users = await recorder(t, echo);
  const gateway = await gatewayBefore(t, [NOWHERE, users.origin]);
  const { status, text } = await ask(gateway, 'POST', '/users', JSON_TYPE, '{}');
  assert.deepEqual([status, text], [200, '{}']);
  assert.equal(gateway.lines.length, 1);
});

test('where nothing is left to try it is 502, and 503 while all are left out', async (t) => {
  const gateway = await gatewayBefore(t, [NOWHERE]);
  const { status, text } = await ask(gateway, 'GET', '/users');
  assert.equal(status, 502);
  assert.doesNotMatch(text, /127/);
  const { status: next, headers } = await ask(gateway, 'GET', '/users');
  assert.deepEqual([next, headers['retry-after']], [503, '1']);
});

test('what ends unanswered is sent again of four methods alone', async (t) => {
  const breaking = await recorder(t, (request, response) => response.destroy());
  const users = await recorder(t, echo);
  const statuses = [];
  for (const method of ['GET', 'POST']) {
    const gateway = await gatewayBefore(t, [breaking.origin, users.origin]);
    const { status } = await ask(gateway, method, '/users/5');
    statuses.push(status);
  }
  assert.deepEqual(statuses, [200, 502]);
  assert.deepEqual([breaking.requests.length, users.requests.length], [2, 1]);
});

test('an instance that does not answer in time is given up, and not left out', async (t) => {
  let closed;
  const users = await recorder(t, (request, response) => {
    if (users.requests.length === 1) closed = once(response, 'close');
    else echo(request, response);
  });
  const gateway = await gatewayBefore(t, [users.origin], { limitMs: 500 });
  assert.equal((await ask(gateway, 'PUT', '/users/5', TOKEN, '{}')).status, 504);
  await closed;
  assert.equal((await ask(gateway, 'PUT', '/users/5', TOKEN, '{}')).status, 200);
});

test('an answer that breaks off never looks complete', async (t) => {
  for (const headers of [{ 'content-length': 10 }, {}]) {
    const users = await recorder(t, (request, response) => {
      response.writeHead(200, headers).write('half', () => response.destroy());
    });
    const gateway = await gatewayBefore(t, [users.origin]);
    await assert.rejects(ask(gateway, 'GET', '/users'));
    assert.deepEqual([users.requests.length, gateway.lines], [1, []]);
  }
});

test('a body in chunks that grows too large is 413, and never whole', async (t) => {
  const users = await recorder(t, (request) => request.resume());
  const gateway = await gatewayBefore(t, [users.origin]);
  const headers = { ...TOKEN, 'transfer-encoding': 'chunked' };
  const { status } = await ask(gateway, 'POST', '/users/coins', headers, LARGE);
  assert.equal(status, 413);
  assert.deepEqual(
    users.requests.map(({ complete }) => complete),
    [false],
  );
});

test('a caller that leaves ends its request, and is not told of', async (t) => {
  let arrive;
  const arrived = new Promise((resolve) => (arrive = resolve));
  const users = await recorder(t, (request, response) => arrive(response));
  const gateway = await gatewayBefore(t, [users.origin]);
  const caller = connectTcp(gateway.port, '127.0.0.1');
  caller.write(`GET /users HTTP/1.1\r\nHost: a\r\nAuthorization: ${TOKEN.authorization}\r\n\r\n`);
  const response = await arrived;
  caller.destroy();
  await once(response, 'close');
  assert.deepEqual(gateway.lines, []);
});

test('parts of an answer are passed on before there are others', async (t) => {
  let answer;
  const users = await recorder(t, (request, response) => {
    answer = response;
    response.writeHead(200).write('first');
  });
  const gateway = await gatewayBefore(t, [users.origin]);
  const caller = connectTcp(gateway.port, '127.0.0.1').setEncoding('latin1');
  caller.write(`POST /users HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`);
  let text = '';
  for await (const part of caller) {
    text += part;
    if (text.endsWith('first\r\n')) answer.end('last');
    if (text.endsWith('0\r\n\r\n')) break;
  }
  assert.match(text, /first\r\n4\r\nlast\r\n0\r\n\r\n$/);
});
