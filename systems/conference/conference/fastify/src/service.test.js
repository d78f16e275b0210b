import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';

import { Problem } from './problem.js';
import { createService } from './service.js';

const LOOKUPS = { strategy: 'sequential', width: 8, batchSize: 100 };
const JSON_FIELDS = { 'content-type': 'application/json' };

/** Conferences in memory. */
class FakeStore {
  rows = new Map();

  async list() {
    return [...this.rows.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  async listAfter(after, most) {
    return (await this.list()).filter(({ id }) => id > after).slice(0, most);
  }

  async insert(conference) {
    if (this.rows.has(conference.id)) throw new Problem('duplicate-id');
    this.rows.set(conference.id, conference);
  }

  async get(id) {
    return this.rows.get(id);
  }

  async replace(conference) {
    const isThere = this.rows.has(conference.id);
    if (isThere) this.rows.set(conference.id, conference);
    return isThere;
  }

  async remove(id) {
    return this.rows.delete(id);
  }

  async ask() {}

  async close() {}
}

const COUNTRY = { one: async (name) => `${name}land`, close: async () => {} };

/** Starts a service over rows; `ask` sends it a request, and `lines` is what it has logged. */
async function serve(t, { rows = [], store = new FakeStore(), country = COUNTRY } = {}) {
  for (const row of rows) await store.insert(row);
  const lines = [];
  const log = new Writable({
    write: (line, encoding, done) => done(lines.push(String(line)) && null),
  });
  const service = createService({ store, country, lookups: LOOKUPS, logLevel: 'warn' }, log);
  const address = await service.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => service.close());
  const ask = async (method, path, body, headers = JSON_FIELDS) => {
    const options = { method, body, headers: body === undefined ? {} : headers, duplex: 'half' };
    const response = await fetch(address + path, options);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { ask, lines };
}

const ROWS = [
  { id: 'b', name: 'B "2"' },
  { id: 'a', name: 'Ä' },
];

test('a list is compact, in the order of the ids', async (t) => {
  const { ask } = await serve(t, { rows: ROWS });
  const { status, headers, text } = await ask('GET', '/conferences');
  assert.deepEqual([status, headers.get('content-type')], [200, 'application/json']);
  assert.equal(text, '[{"id":"a","name":"Ä"},{"id":"b","name":"B \\"2\\""}]');
});

test('a list of many slices is whole', async (t) => {
  const rows = Array.from({ length: 5_001 }, (_, index) => ({ id: `i${index}`, name: 'n' }));
  const { ask } = await serve(t, { rows });
  const { text, headers } = await ask('GET', '/conferences');
  assert.deepEqual(new Set(JSON.parse(text).map(({ id }) => id)).size, 5_001);
  assert.equal(headers.get('content-type'), 'application/json');
});

test('a page tells of the next one where there is one', async (t) => {
  const { ask } = await serve(t, { rows: ROWS });
  const first = await ask('GET', '/conferenceswithcountry?limit=1');
  assert.equal(first.text, '[{"name":"Ä","country":"Äland"}]');
  const link = '</conferenceswithcountry?limit=1&after=a>; rel="next"';
  assert.equal(first.headers.get('link'), link);
  const last = await ask('GET', '/conferenceswithcountry?limit=1&after=a');
  assert.deepEqual([JSON.parse(last.text).length, last.headers.get('link')], [1, null]);
});

test('a conference is inserted, replaced and removed', async (t) => {
  const { ask, lines } = await serve(t);
  const inserted = await ask('POST', '/conferences', '{"id":"x","name":"one"}');
  assert.deepEqual([inserted.status, inserted.text], [202, '']);
  assert.equal((await ask('POST', '/conferences', '{"id":"x","name":"two"}')).status, 409);
  assert.equal((await ask('GET', '/conferences/x')).text, '{"id":"x","name":"one"}');
  assert.equal(
    (await ask('PUT', '/conferences/x', '{"name":"two"}')).text,
    '{"id":"x","name":"two"}',
  );
  assert.equal((await ask('DELETE', '/conferences/x')).status, 204);
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await ask(method, '/conferences/x')).status, 404);
  }
  assert.equal((await ask('PUT', '/conferences/x', '{"name":"two"}')).status, 404);
  assert.deepEqual(lines, []);
});

const LARGE = 'a'.repeat(17 * 1024);
const TEXT_FIELDS = { 'content-type': 'text/plain' };

for (const [method, path, body, fields, status] of [
  ['POST', '/nothing', LARGE, TEXT_FIELDS, 404],
  ['POST', '/conferences/%zz', LARGE, TEXT_FIELDS, 404],
  ['GET', `/conferences/${'a'.repeat(200)}`, undefined, {}, 404],
  ['PATCH', '/conferences', LARGE, TEXT_FIELDS, 405],
  ['POST', '/conferences', LARGE, TEXT_FIELDS, 413],
  ['POST', '/conferences', LARGE, { 'content-type': 'none' }, 413],
  ['POST', '/conferences', '{', TEXT_FIELDS, 415],
  ['POST', '/conferences', '{', { 'content-type': 'none' }, 415],
  ['POST', '/conferences', '{', JSON_FIELDS, 400],
  ['POST', '/conferences', '', JSON_FIELDS, 400],
  ['POST', '/conferences', Buffer.from('"\xff"', 'latin1'), JSON_FIELDS, 400],
  ['PUT', '/conferences/none', '{}', JSON_FIELDS, 422],
  ['PUT', '/conferences/none', '{"name":"n"}', JSON_FIELDS, 404],
  ['GET', '/conferences?limit=0', undefined, {}, 400],
]) {
  const type = fields['content-type'] ?? 'no type';
  test(`${method} ${path.slice(0, 20)} with ${body?.length} bytes of ${type} is ${status}`, async (t) => {
    const { ask, lines } = await serve(t);
    const answer = await ask(method, path, body, fields);
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    assert.equal(JSON.parse(answer.text).status, status);
    assert.deepEqual(lines, []);
  });
}

test('a body in chunks is taken, and refused where it is too large', async (t) => {
  const { ask } = await serve(t);
  const chunked = (text) => new Blob([text]).stream();
  const right = await ask('POST', '/conferences', chunked('{"id":"x","name":"n"}'));
  assert.equal(right.status, 202);
  assert.equal((await ask('POST', '/conferences', chunked(LARGE))).status, 413);
});

test('a problem has its members in their order, and 405 the methods', async (t) => {
  const { ask } = await serve(t);
  const { text, headers } = await ask('PATCH', '/conferences/a');
  assert.equal(
    text,
    '{"type":"urn:conference:method-not-allowed","title":"Method not allowed","status":405,' +
      '"detail":"The path does not have this method."}',
  );
  assert.equal(headers.get('allow'), 'GET, PUT, DELETE');
  const { errors } = JSON.parse((await ask('POST', '/conferences', '{"id":1}')).text);
  assert.deepEqual(errors, [
    { pointer: '/id', code: 'type' },
    { pointer: '/name', code: 'required' },
  ]);
});

test('a failure has the title of its operation, and a line in the log', async (t) => {
  const store = new FakeStore();
  const cause = new Error('refused');
  store.list = () => Promise.reject(new Problem('unavailable', { cause }));
  const { ask, lines } = await serve(t, { store });
  const { status, headers, text } = await ask('GET', '/conferenceswithcountry?x=y');
  assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
  assert.equal(JSON.parse(text).title, 'Error occurred while retrieving conferences with country');
  assert.equal(lines.length, 1);
  assert.match(lines[0], /unavailable: refused/);
});

test('an error of the service is told of without itself', async (t) => {
  const store = new FakeStore();
  store.get = () => Promise.reject(new Error('SELECT of TypeError'));
  const { ask, lines } = await serve(t, { store });
  const { status, text } = await ask('GET', '/conferences/a');
  assert.equal(status, 500);
  assert.doesNotMatch(text, /SELECT|TypeError/);
  assert.equal(lines.length, 1);
});

test('a page whose look-ups fail tells of no next one', async (t) => {
  const country = { ...COUNTRY, one: () => Promise.reject(new Problem('country-failed')) };
  const { ask } = await serve(t, { rows: ROWS, country });
  const { status, headers } = await ask('GET', '/conferenceswithcountry?limit=1');
  assert.deepEqual([status, headers.get('link')], [502, null]);
});

test('it lives whatever its database does', async (t) => {
  const store = new FakeStore();
  store.ask = () => Promise.reject(new Problem('unavailable'));
  const { ask } = await serve(t, { store });
  assert.equal((await ask('GET', '/healthz')).text, '{"status":"up"}');
  assert.equal((await ask('GET', '/readyz')).status, 503);
});
