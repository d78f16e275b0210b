import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';

import { createGateway } from './gateway.js';

async function listen(t, handler) {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

async function serve(t, upstreamHandler, log) {
  const gateway = createGateway(await listen(t, upstreamHandler), log);
  t.after(() => gateway.close());
  return listen(t, gateway.app);
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
