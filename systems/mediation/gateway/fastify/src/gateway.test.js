import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:http2';
import { Writable } from 'node:stream';
import { test } from 'node:test';

import { createGateway } from './gateway.js';

/** Starts an upstream and a gateway before it; `lines` is what the gateway has logged. */
async function serve(t, upstreamHandler, protocol = 'h1c') {
  const server = createServer(upstreamHandler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const lines = [];
  const log = new Writable({
    write: (line, encoding, done) => done(lines.push(String(line)) && null),
  });
  const origin = `http://127.0.0.1:${server.address().port}`;
  const gateway = createGateway({ protocol, upstream: { origin, protocol: 'h1c' } }, log);
  const address = await gateway.listen({ host: '127.0.0.1', port: 0 });
  t.after(async () => {
    await gateway.close();
    server.close();
  });
  return { address, lines };
}

function post(url, body, headers) {
  return fetch(url, { method: 'POST', body, headers });
}

async function echo(req, res) {
  const body = Buffer.concat(await req.toArray()).toString();
  res.end(JSON.stringify({ url: req.url, type: req.headers['content-type'], body }));
}

test('a request is passed on with its query and type', async (t) => {
  const { address, lines } = await serve(t, echo);
  const response = await post(`${address}/passthrough?a=1%20`, '{ }', { 'Content-Type': 'a/b' });
  assert.deepEqual(await response.json(), {
    url: '/service/EchoService?a=1%20',
    type: 'a/b',
    body: '{ }',
  });
  assert.deepEqual(lines, []);
});

test('a malformed type is passed on as well', async (t) => {
  const { address } = await serve(t, echo);
  const response = await post(`${address}/passthrough`, 'a', { 'Content-Type': 'none' });
  assert.equal((await response.json()).type, 'none');
});

test('a document goes to the upstream without query and type of the caller', async (t) => {
  const { address } = await serve(t, echo);
  const response = await post(`${address}/transform?b`, '{"a":1}', { 'Content-Type': 'a/b' });
  assert.deepEqual(await response.json(), {
    url: '/service/EchoService',
    type: 'application/xml',
    body: '<a>1</a>',
  });
});

for (const [path, body] of [
  ['/passthrough', 'a'],
  ['/transform', '{"a":1}'],
]) {
  test(`on HTTP/2 a body of ${path} needs neither type nor length`, async (t) => {
    const { address } = await serve(t, echo, 'h2c');
    const session = connect(address);
    t.after(() => session.close());
    const stream = session.request({ ':method': 'POST', ':path': path });
    stream.end(body);
    const answer = JSON.parse((await stream.setEncoding('utf8').toArray()).join(''));
    assert.equal(answer.body, path === '/passthrough' ? body : '<a>1</a>');
  });
}

test('what is refused does not reach the upstream', async (t) => {
  const { address, lines } = await serve(t, () => assert.fail());
  const large = `"${'a'.repeat(1024 * 1024)}"`;
  const refusals = [
    await fetch(`${address}/nothing`),
    await fetch(`${address}/passthrough`, { method: 'PUT', body: 'a' }),
    await fetch(`${address}/transform`, { method: 'PUT', body: '{' }),
    await post(`${address}/transform`, '{'),
    await post(`${address}/transform`, large),
  ];
  assert.deepEqual(
    refusals.map(({ status }) => status),
    [404, 405, 405, 400, 413],
  );
  for (const { headers } of refusals) {
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
  }
  assert.equal(refusals[1].headers.get('allow'), 'POST');
  assert.deepEqual(lines, []);
});

test('a failed upstream is answered plainly and logged in one line', async (t) => {
  const { address, lines } = await serve(t, (req) => req.socket.destroy());
  const response = await post(`${address}/passthrough`, '{}');
  assert.deepEqual([response.status, await response.text()], [502, 'the upstream failed\n']);
  assert.equal(lines.length, 1);
  assert.match(lines[0], /"upstream failed: /);
});

test('an answer that breaks off before its body is 502, without a field of it', async (t) => {
  const { address, lines } = await serve(t, (req, res) => {
    res.writeHead(200, { 'Content-Length': 9, 'Set-Cookie': 'a=1' }).flushHeaders();
    setTimeout(() => res.destroy(), 20);
  });
  const response = await post(`${address}/passthrough`, '{}');
  assert.deepEqual([response.status, await response.text()], [502, 'the upstream failed\n']);
  assert.equal(response.headers.get('set-cookie'), null);
  assert.equal(lines.length, 1);
});

test('an answer that breaks off in its body is broken for the caller, and logged', async (t) => {
  const { address, lines } = await serve(t, (req, res) => {
    res.write('half');
    setTimeout(() => res.destroy(), 20);
  });
  const response = await post(`${address}/passthrough`, '{}');
  await assert.rejects(response.text());
  assert.equal(lines.length, 1);
});

test('a caller that goes away ends its request at the upstream, and is not logged', async (t) => {
  const controller = new AbortController();
  let ended;
  const { address, lines } = await serve(t, (req, res) => {
    ended = once(res, 'close');
    controller.abort();
  });
  const { signal } = controller;
  await assert.rejects(fetch(`${address}/passthrough`, { method: 'POST', body: '{}', signal }));
  await ended;
  assert.deepEqual(lines, []);
});
