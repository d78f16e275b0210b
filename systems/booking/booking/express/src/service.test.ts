import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Problem } from './problem.js';
import { FakeStore } from './testing/fake_store.js';
import { isProblem, serve } from './testing/served.js';

const JSON_FIELDS = { 'content-type': 'application/json' };
const TEXT_FIELDS = { 'content-type': 'text/plain' };
const LARGE = 'a'.repeat(17 * 1024);
const CLUB = { name: 'Court "1"', city: 'Norvale' };

test('an account is opened, logs in, and is told of itself', async (t) => {
  const { ask, lines } = await serve(t);
  const body = { email: 'A@Example.com', name: 'Ä', password: 'court-side' };
  const made = await ask('POST', '/accounts', { body });
  assert.equal(made.status, 201);
  assert.equal(made.headers.get('content-type'), 'application/json');
  assert.equal(
    made.text,
    '{"id":1,"email":"a@example.com","name":"Ä","role":"player","created_at":"2026-01-01T00:00:00Z"}',
  );
  isProblem(await ask('POST', '/accounts', { body }), 409, 'email-taken');

  const credentials = { email: 'a@EXAMPLE.com', password: 'court-side' };
  const { value } = await ask('POST', '/auth/login', { body: credentials });
  assert.deepEqual([value.token_type, value.expires_in], ['Bearer', 3600]);
  const me = await ask('GET', '/accounts/me', { token: String(value.token) });
  assert.equal(me.text, made.text);
  assert.deepEqual(lines, []);
});

test('a wrong password and an unknown address are the same', async (t) => {
  const { ask } = await serve(t);
  await ask('POST', '/accounts', {
    body: { email: 'a@b.example', name: 'A', password: 'right-one' },
  });
  const answers = [];
  for (const email of ['a@b.example', 'x@b.example', 'no address']) {
    answers.push(await ask('POST', '/auth/login', { body: { email, password: 'wrong-one' } }));
  }
  for (const answer of answers) {
    isProblem(answer, 401, 'bad-credentials');
    assert.equal(answer.headers.get('www-authenticate'), null);
    assert.equal(answer.text, answers[0]?.text);
  }
});

test('without a token there is no way in', async (t) => {
  const { ask, tokenOf } = await serve(t);
  const answer = await ask('GET', '/clubs');
  isProblem(answer, 401, 'unauthenticated');
  assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
  const token = await tokenOf(9, 'player');
  assert.equal((await ask('GET', '/clubs', { token })).status, 200);
  isProblem(await ask('GET', '/accounts/me', { token }), 401, 'unauthenticated');
});

test('a club is made, read and replaced by its owner alone', async (t) => {
  const { ask, tokenOf } = await serve(t);
  const token = await tokenOf(1, 'owner');
  const other = await tokenOf(2, 'owner');
  const made = await ask('POST', '/clubs', { token, body: CLUB });
  assert.deepEqual([made.status, made.headers.get('location')], [201, '/clubs/1']);
  assert.equal((await ask('GET', '/clubs/1', { token: other })).text, made.text);
  const body = { ...CLUB, city: 'Suderby' };
  isProblem(await ask('PUT', '/clubs/1', { token: other, body }), 403, 'forbidden');
  isProblem(await ask('PUT', '/clubs/2', { token: other, body }), 404, 'not-found');
  const replaced = await ask('PUT', '/clubs/1', { token, body });
  assert.deepEqual([replaced.status, replaced.value.city], [200, 'Suderby']);
  isProblem(
    await ask('POST', '/clubs', { token: await tokenOf(3, 'player'), body }),
    403,
    'forbidden',
  );
});

test('a list goes on behind its cursor', async (t) => {
  const { ask, tokenOf } = await serve(t);
  const token = await tokenOf(1, 'owner');
  for (const name of ['A', 'B', 'C'])
    await ask('POST', '/clubs', { token, body: { ...CLUB, name } });
  const first = await ask('GET', '/clubs?limit=2&mine=true&city=Norvale', { token });
  assert.equal((first.value.items as unknown[]).length, 2);
  const last = await ask('GET', `/clubs?limit=2&cursor=${String(first.value.next_cursor)}`, {
    token,
  });
  assert.match(last.text, /^\{"items":\[\{"id":3,.*\}\],"next_cursor":null\}$/);
});

test('the first of several faults is answered', async (t) => {
  const { ask, tokenOf } = await serve(t);
  const owner = await tokenOf(1, 'owner');
  const player = await tokenOf(2, 'player');
  for (const [method, path, token, body, headers, status] of [
    ['POST', '/nothing', undefined, LARGE, TEXT_FIELDS, 404],
    ['PATCH', '/clubs', undefined, LARGE, TEXT_FIELDS, 405],
    ['POST', '/clubs', undefined, LARGE, TEXT_FIELDS, 401],
    ['POST', '/clubs', player, LARGE, TEXT_FIELDS, 403],
    ['POST', '/clubs', owner, LARGE, TEXT_FIELDS, 413],
    ['POST', '/clubs', owner, '{', TEXT_FIELDS, 415],
    ['POST', '/clubs', owner, '{', JSON_FIELDS, 400],
    ['PUT', '/clubs/7', owner, '{}', JSON_FIELDS, 422],
    ['PUT', '/clubs/7', owner, JSON.stringify(CLUB), JSON_FIELDS, 404],
    ['POST', '/reservations', player, '{}', { ...JSON_FIELDS, 'idempotency-key': 'a b' }, 400],
    ['GET', '/facilities?available=true', owner, undefined, {}, 400],
    ['GET', '/facilities?at=now', owner, undefined, {}, 400],
    ['GET', '/facilities/7/slots?date=2040-02-30', owner, undefined, {}, 400],
    ['GET', '/facilities/7/ratings?limit=0', owner, undefined, {}, 400],
    ['GET', '/clubs?q=%', owner, undefined, {}, 400],
  ] as const) {
    const answer = await ask(method, path, {
      headers,
      ...(token !== undefined && { token }),
      ...(body !== undefined && { body }),
    });
    assert.equal(answer.status, status, `${method} ${path}`);
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  }
});

test('a body in chunks is taken, and refused where it is too large', async (t) => {
  const { ask, tokenOf } = await serve(t);
  const token = await tokenOf(1, 'owner');
  const chunked = (text: string) => ({
    token,
    headers: JSON_FIELDS,
    body: new Blob([text]).stream(),
  });
  assert.equal((await ask('POST', '/clubs', chunked(JSON.stringify(CLUB)))).status, 201);
  isProblem(await ask('POST', '/clubs', chunked(LARGE)), 413, 'too-large');
});

test('a problem has its members in their order', async (t) => {
  const { ask, tokenOf } = await serve(t);
  const refused = await ask('PATCH', '/facilities/1');
  assert.equal(
    refused.text,
    '{"type":"https://booking.example/problems/method-not-allowed","title":"Method not allowed","status":405,' +
      '"detail":"The path does not have this method."}',
  );
  assert.equal(refused.headers.get('allow'), 'GET, PUT, DELETE');
  const token = await tokenOf(1, 'owner');
  const { value } = await ask('POST', '/clubs', { token, body: { name: 1 } });
  assert.deepEqual(value.errors, [
    { pointer: '/name', code: 'type' },
    { pointer: '/city', code: 'required' },
  ]);
});

test('JSON that is very deep is refused, and nothing breaks', async (t) => {
  const { ask } = await serve(t);
  const deep = `{"email":${'['.repeat(7000)}${']'.repeat(7000)}}`;
  const { status } = await ask('POST', '/accounts', { body: deep, headers: JSON_FIELDS });
  assert.ok(status === 400 || status === 422);
});

test('a database that is away is told of, and logged by a line', async (t) => {
  const store = new FakeStore();
  store.ask = () => Promise.reject(new Problem('unavailable', { cause: new Error('refused') }));
  const { ask, lines } = await serve(t, store);
  assert.equal((await ask('GET', '/healthz')).text, '{"status":"ok"}');
  const answer = await ask('GET', '/readyz');
  isProblem(answer, 503, 'unavailable');
  assert.equal(answer.headers.get('retry-after'), '1');
  assert.equal(lines.length, 1);
  assert.match(String(lines[0]), /unavailable: refused/);
});

test('an error of the service is told of without itself', async (t) => {
  const store = new FakeStore();
  store.ask = () => Promise.reject(new Error('SELECT\nof TypeError'));
  const { ask, lines } = await serve(t, store);
  const answer = await ask('GET', '/readyz');
  isProblem(answer, 500, 'internal');
  assert.doesNotMatch(answer.text, /SELECT|TypeError/);
  assert.equal(lines.length, 1);
  assert.equal(lines[0]?.trim().split('\n').length, 1);
});
