import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { connect, createServer as createHttp2 } from 'node:http2';
import { test } from 'node:test';

import { createGateway } from './gateway.js';

async function listen(t, server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

/** Starts a gateway whose callers and upstream speak HTTP/1.1. */
async function serve(t, upstreamHandler, log) {
  const origin = await listen(t, createHttp(upstreamHandler));
  const gateway = createGateway({ origin, protocol: 'h1c' }, log);
  t.after(() => gateway.close());
  return listen(t, createHttp(gateway.listener));
}

/** Starts one whose callers and upstream speak HTTP/2, and connects to it. */
async function serveHttp2(t, upstreamHandler, log) {
  const upstream = createHttp2(upstreamHandler);
  const gateway = createGateway({ origin: await listen(t, upstream), protocol: 'h2c' }, log);
  const session = connect(await listen(t, createHttp2(gateway.listener)));
  t.after(() => {
    session.close();
    gateway.close();
  });
  return { session, upstream };
}

/** Posts on HTTP/2; resolves with status and body, or rejects where the answer is broken. */
async function post(session, path, body) {
  const stream = session.request({ ':method': 'POST', ':path': path });
  stream.end(body);
  const [headers] = await once(stream, 'response');
  const chunks = await stream.setEncoding('utf8').toArray();
  return { status: headers[':status'], headers, body: chunks.join('') };
}

test('the query travels on, the path is the upstream’s', async (t) => {
  const address = await serve(t, (req, res) => res.end(req.url), assert.fail);
  const response = await fetch(`${address}/passthrough?a=1%20`, { method: 'POST', body: '{}' });
  assert.equal(await response.text(), '/service/EchoService?a=1%20');
});

test('a failed upstream is logged and answered plainly', async (t) => {
  const lines = [];
  const address = await serve(
    t,
    (req) => req.socket.destroy(),
    (line) => lines.push(line),
  );
  const response = await fetch(`${address}/passthrough`, { method: 'POST', body: '{}' });
  assert.equal(response.status, 502);
  assert.equal(await response.text(), 'the upstream failed\n');
  assert.equal(lines.length, 1);
  assert.match(lines[0], /^upstream failed: /);
});

test('a document goes to the upstream without fields of the caller', async (t) => {
  const echo = (req, res) => {
    const seen = [req.headers['content-type'], req.headers['x-a']];
    req
      .toArray()
      .then((chunks) => res.end(JSON.stringify([...seen, Buffer.concat(chunks).toString()])));
  };
  const address = await serve(t, echo, assert.fail);
  const request = { method: 'POST', headers: { 'X-A': '1' }, body: '{"a":1}' };
  const response = await fetch(`${address}/transform?b`, request);
  assert.deepEqual(await response.json(), ['application/xml', null, '<a>1</a>']);
});

test('a body that makes no document is 400, and one that is too large 413', async (t) => {
  const address = await serve(t, () => assert.fail(), assert.fail);
  const bad = await fetch(`${address}/transform`, { method: 'POST', body: '{' });
  assert.deepEqual([bad.status, await bad.text()], [400, 'the body is not JSON\n']);
  const body = `"${'a'.repeat(1024 * 1024)}"`;
  const large = await fetch(`${address}/transform`, { method: 'POST', body });
  assert.deepEqual([large.status, await large.text()], [413, 'the body is larger than 1 MiB\n']);
});

test('on HTTP/2 both scenarios and their refusals are as on HTTP/1.1', async (t) => {
  const { session } = await serveHttp2(t, (req, res) => req.pipe(res), assert.fail);
  const answers = [
    await post(session, '/passthrough', 'a'),
    await post(session, '/transform', '{"a":1}'),
    await post(session, '/transform', '{'),
    await post(session, '/nothing', ''),
  ];
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body]),
    [
      [200, 'a'],
      [200, '<a>1</a>'],
      [400, 'the body is not JSON\n'],
      [404, 'no such path\n'],
    ],
  );
});

test('a hundred requests at once take one connection to an upstream of HTTP/2', async (t) => {
  const { session, upstream } = await serveHttp2(t, (req, res) => req.pipe(res), assert.fail);
  let connections = 0;
  upstream.on('session', () => (connections += 1));
  const bodies = Array.from({ length: 100 }, (_, i) => String(i));
  const answers = await Promise.all(bodies.map((body) => post(session, '/passthrough', body)));
  assert.deepEqual(
    answers.map(({ body }) => body),
    bodies,
  );
  assert.equal(connections, 1);
});

test('after a GOAWAY of the upstream the next request has a connection of its own', async (t) => {
  const { session, upstream } = await serveHttp2(t, (req, res) => req.pipe(res), assert.fail);
  const first = once(upstream, 'session');
  await post(session, '/passthrough', 'a');
  const [connection] = await first;
  const second = once(upstream, 'session');
  connection.close();
  await once(connection, 'close');
  assert.equal((await post(session, '/passthrough', 'b')).body, 'b');
  await second;
});

test('an answer of HTTP/2 that is cancelled half way is broken for the caller', async (t) => {
  const lines = [];
  const half = (req, res) => {
    res.write('half');
    setImmediate(() => res.stream.close(8)); // CANCEL, which node:http2 does not call an error
  };
  const { session } = await serveHttp2(t, half, (line) => lines.push(line));
  await assert.rejects(post(session, '/passthrough', 'a'));
  assert.equal(lines.length, 1);
});
