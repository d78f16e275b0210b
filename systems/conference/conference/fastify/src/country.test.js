import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';

import { Country, escapeSegment } from './country.js';
import { Cancelled } from './exchange.js';

const CONFIG = {
  timeoutMs: 60_000,
  connections: 4,
  retries: 0,
  retryIntervalMs: 1,
  hasBreaker: false,
};
const NEVER = new AbortController().signal;

/** A service that is scripted, and a client of it; `seen` is what it was asked for. */
async function serve(t, handler, config = {}) {
  const seen = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    seen.push(`${request.method} ${request.url} ${body}`.trim());
    handler(response, seen.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${server.address().port}`;
  const country = new Country({ ...CONFIG, origin, ...config });
  t.after(async () => {
    await country.close();
    server.closeAllConnections();
    server.close();
  });
  return { country, seen };
}

function answering(body, status = 200) {
  return (response) => response.writeHead(status).end(body);
}

test('every byte that is ever reserved is escaped', () => {
  assert.equal(
    escapeSegment("a/b?c#d%e f+é'()*!"),
    'a%2Fb%3Fc%23d%25e%20f%2B%C3%A9%27%28%29%2A%21',
  );
  assert.equal(escapeSegment('Az09-._~'), 'Az09-._~');
});

test('a name is asked for by its path', async (t) => {
  const { country, seen } = await serve(t, answering('{"name":"USA","more":1}'));
  assert.equal(await country.one('Google I/O', NEVER), 'USA');
  assert.deepEqual(seen, ['GET /conferences/Google%20I%2FO/country']);
});

test('a batch is asked for by its body', async (t) => {
  const { country, seen } = await serve(t, answering('{"countries":["UK","USA"]}'));
  assert.deepEqual(await country.batch(['a', 'b'], NEVER), ['UK', 'USA']);
  assert.deepEqual(seen, ['POST /countries {"names":["a","b"]}']);
});

for (const body of ['', 'USA', 'null', '[]', '{}', '{"name":1}', '{"name":"USA"}{}', '\ufeff{}']) {
  test(`${JSON.stringify(body)} is no answer`, async (t) => {
    const { country } = await serve(t, answering(body));
    await assert.rejects(country.one('a', NEVER), { code: 'country-failed' });
  });
}

for (const body of ['{}', '{"countries":["UK"]}', '{"countries":["UK",1]}', '{"countries":"UK"}']) {
  test(`${body} is no answer to a batch of two`, async (t) => {
    const { country } = await serve(t, answering(body));
    await assert.rejects(country.batch(['a', 'b'], NEVER), { code: 'country-failed' });
  });
}

test('an answer that is too large is none', async (t) => {
  const { country } = await serve(t, answering(`{"name":"${'a'.repeat(65_536)}"}`));
  await assert.rejects(country.one('a', NEVER), { code: 'country-failed' });
});

for (const [status, attempts] of [
  [404, 1],
  [302, 1],
  [500, 1],
  [502, 3],
  [503, 3],
  [504, 3],
]) {
  test(`${status} is tried ${attempts} times where two retries are allowed`, async (t) => {
    const { country, seen } = await serve(t, answering('{"name":"USA"}', status), { retries: 2 });
    await assert.rejects(country.one('a', NEVER), { code: 'country-failed' });
    assert.equal(seen.length, attempts);
  });
}

test('a connection that breaks is tried again, and the last attempt decides', async (t) => {
  const breakTwice = (response, number) =>
    number < 3 ? response.destroy() : response.end('{"name":"USA"}');
  const { country } = await serve(t, breakTwice, { retries: 2 });
  assert.equal(await country.one('a', NEVER), 'USA');
});

test('an answer that does not come in time is not waited for, and not tried again', async (t) => {
  const { country, seen } = await serve(t, () => {}, { timeoutMs: 50, retries: 2 });
  await assert.rejects(country.one('a', NEVER), { code: 'country-timeout' });
  assert.equal(seen.length, 1);
});

test('waiting for a connection counts as well', async (t) => {
  const { country, seen } = await serve(t, () => {}, { timeoutMs: 50, connections: 1 });
  const both = [country.one('a', NEVER), country.one('b', NEVER)];
  for (const { reason } of await Promise.allSettled(both)) {
    assert.equal(reason.code, 'country-timeout');
  }
  assert.equal(seen.length, 1);
});

test('what is cancelled ends at once, and nothing more is asked', async (t) => {
  const controller = new AbortController();
  const { country, seen } = await serve(t, () => controller.abort(), { retries: 2 });
  await assert.rejects(country.one('a', controller.signal), Cancelled);
  await assert.rejects(country.one('b', controller.signal), Cancelled);
  assert.equal(seen.length, 1);
});

test('a breaker stops asking', async (t) => {
  const { country, seen } = await serve(t, answering('', 500), { hasBreaker: true });
  for (let count = 0; count < 10; count += 1) {
    await assert.rejects(country.one('a', NEVER), { code: 'country-failed' });
  }
  await assert.rejects(country.one('a', NEVER), { code: 'country-open' });
  assert.equal(seen.length, 10);
});
