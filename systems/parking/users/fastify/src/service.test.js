import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { test } from 'node:test';

import { Complaints } from './complaints.js';
import { unavailable } from './failures.js';
import { createService } from './service.js';
import { Tokens } from './tokens.js';

const VEHICLE = {
  licensePlateNumber: 'LA-00015',
  vehicleType: 'AUTOMOBILE',
  vehicleEnergySource: 'FUEL',
};
const USER = {
  ...{ id: 5, firstName: 'Sefa', lastName: 'Ä "5"\u2028', email: 's@park.example', nif: 700000005 },
  ...{ parkingHistory: [], totalParkies: 0, vehicles: [VEHICLE], role: 'CUSTOMER' },
  ...{ paymentMethod: 'PAYPAL', userStatus: 'ENABLED' },
};
const ASKED = {
  ...{ firstName: 'a', lastName: 'b', email: 'a@b', password: 'Loadstone#1', nif: 700000005 },
  ...{ ...VEHICLE, paymentMethod: 'PAYPAL' },
};
const GRANT = { userIds: [5], amount: 1, reason: 'r' };
const DEBIT = { userId: 5, reference: 'r', maxCoins: 3 };

const LOGINS = {
  's@park.example': { id: 5, name: 'S L', hash: 'hash of p', role: 'CUSTOMER', isEnabled: true },
  'b@park.example': { id: 6, name: 'B L', hash: 'hash of p', role: 'CUSTOMER', isEnabled: false },
};

/** A store in which all is there that is asked for. */
const STORE = {
  users: {
    add: async () => USER,
    list: async () => [USER, { ...USER, id: 6, vehicles: [] }],
    get: async () => USER,
    byEmail: async (email) => LOGINS[email],
    setStatus: async (id, userStatus) => ({ ...USER, userStatus }),
    paymentMethod: async () => 'PAYPAL',
    setPaymentMethod: async () => {},
  },
  vehicles: {
    list: async () => [VEHICLE],
    put: async (id, { vehicleType }) => vehicleType === 'MOTORCYCLE',
  },
  coins: {
    top: async () => [],
    wallet: async () => ({
      userId: 5,
      coins: 3,
      events: [{ id: 1, amount: 3, reason: 'r', managerId: null, at: 'then' }],
    }),
    grant: async (key) => ({ status: 201, body: '{"granted":1}', isReplayed: key[0] === 'u' }),
    debit: async () => 3,
  },
  ask: async () => {},
  close: () => {},
};
const PASSWORDS = {
  hash: async (password) => `hash of ${password}`,
  isRight: async (password, hash) => hash === `hash of ${password}`,
};

const SUPERVISOR = { 'x-user-id': '1', 'x-user-role': 'SUPERVISOR' };
const MANAGER = { 'x-user-id': '3', 'x-user-role': 'CUSTOMER_MANAGER' };
const SEFA = { 'x-user-id': '5', 'x-user-role': 'CUSTOMER' };
const OTHER = { 'x-user-id': '6', 'x-user-role': 'CUSTOMER' };
const KEY = { 'x-internal-key': 'i'.repeat(16) };
const GRANT_KEY = { 'idempotency-key': 'k'.repeat(16) };
const JSON_TYPE = { 'content-type': 'application/json' };
const NOBODY = {};

/** Starts a service; `ask` sends it a request, and `lines` is what it has logged. */
async function serve(t, store = STORE, protocol = 'h1c') {
  const lines = [];
  const log = (line) => lines.push(line);
  const parts = {
    ...{ store, passwords: PASSWORDS, internalKey: KEY['x-internal-key'] },
    ...{ tokens: new Tokens({ secret: 'k'.repeat(32), lifetimeSeconds: 60 }) },
    complaints: new Complaints(log),
  };
  const service = createService({ protocol, keyPair: null }, parts, log);
  let ended;
  const close = () => (ended ??= service.close());
  const address = await service.listen({ host: '127.0.0.1', port: 0 });
  t.after(close);
  const { port } = service.server.address();
  const ask = async (method, path, headers, body) => {
    const response = await fetch(address + path, { method, headers, body, duplex: 'half' });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const send = (method, path, headers, value) =>
    ask(method, path, { ...JSON_TYPE, ...headers }, JSON.stringify(value));
  return { ask, send, lines, port, close };
}

test('a user is shown with the members in order, unescaped', async (t) => {
  const { ask, send, port } = await serve(t);
  const { status, headers, text } = await send('POST', '/users', NOBODY, ASKED);
  assert.deepEqual([status, text], [201, JSON.stringify(USER)]);
  assert.equal(headers.get('location'), '/users/5');
  assert.equal(headers.get('content-type'), 'application/json');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-instance-id'), `users-${port}`);
  const list = await ask('GET', '/users?a=%', SUPERVISOR);
  assert.equal(list.text, JSON.stringify([USER, { ...USER, id: 6, vehicles: [] }]));
});

test('a token is given to who is enabled, by the right password', async (t) => {
  const { send } = await serve(t);
  const logIn = (email, password) => send('POST', '/users/login', NOBODY, { email, password });
  const { status, text } = await logIn('s@park.example', 'p');
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(JSON.parse(text)), ['token', 'name', 'expiresAt']);
  const wrong = await logIn('b@park.example', 'q');
  assert.deepEqual([wrong.status, wrong.headers.get('www-authenticate')], [401, null]);
  assert.equal((await logIn('nobody', 'p')).text, wrong.text);
  assert.equal(JSON.parse((await logIn('b@park.example', 'p')).text).code, 'account-blocked');
});

test('vehicles and coins are shown', async (t) => {
  const { ask, send } = await serve(t);
  const textOf = async (...request) => (await ask(...request)).text;
  assert.equal(await textOf('GET', '/users/5/vehicles', SEFA), JSON.stringify([VEHICLE]));
  assert.equal(await textOf('GET', '/users/top-coins', SUPERVISOR), '[]');
  assert.equal(
    await textOf('GET', '/users/5/coins', MANAGER),
    '{"userId":5,"coins":3,"events":[{"id":1,"amount":3,"reason":"r","managerId":null,"at":"then"}]}',
  );
  assert.equal(await textOf('GET', '/users/5/payment-method', SEFA), '{"paymentMethod":"PAYPAL"}');
  assert.equal(await textOf('GET', '/health', NOBODY), '{"status":"up"}');
  const put = (vehicleType) =>
    send('PUT', '/users/5/vehicles/LA-00015', SEFA, { vehicleType, vehicleEnergySource: 'GPL' });
  assert.equal((await put('AUTOMOBILE')).status, 200);
  assert.equal((await put('MOTORCYCLE')).status, 201);
  const debit = await send('POST', '/internal/coins/debits', KEY, DEBIT);
  assert.deepEqual([debit.status, debit.text], [200, '{"coins":3}']);
});

test('a grant that is given again says so', async (t) => {
  const { send } = await serve(t);
  for (const [letter, replayed] of [
    ['k', null],
    ['u', 'true'],
  ]) {
    const headers = { ...MANAGER, 'idempotency-key': letter.repeat(16) };
    const answer = await send('POST', '/users/coins', headers, GRANT);
    assert.deepEqual([answer.status, answer.text], [201, '{"granted":1}']);
    assert.equal(answer.headers.get('idempotency-replayed'), replayed);
  }
});

const LARGE = ' '.repeat(65_537);
const TEXT_TYPE = { 'content-type': 'text/plain' };

for (const [method, path, headers, body, code] of [
  ['POST', '/nothing', TEXT_TYPE, LARGE, 'not-found'],
  ['GET', '/users/%zz', SUPERVISOR, undefined, 'not-found'],
  ['PATCH', '/users', TEXT_TYPE, LARGE, 'method-not-allowed'],
  ['GET', '/users/login', SUPERVISOR, undefined, 'method-not-allowed'],
  ['POST', '/users/coins', TEXT_TYPE, LARGE, 'token-missing'],
  ['GET', '/users', { 'x-user-id': '5' }, undefined, 'token-missing'],
  ['GET', '/users', { ...SEFA, 'x-user-id': '0' }, undefined, 'token-invalid'],
  ['GET', '/users', { ...SEFA, 'x-user-id': '5, 5' }, undefined, 'token-invalid'],
  ['GET', '/users', { ...SEFA, 'x-user-role': 'customer' }, undefined, 'token-invalid'],
  ['GET', '/users', SEFA, undefined, 'forbidden'],
  ['GET', '/users/5', OTHER, undefined, 'forbidden'],
  ['GET', '/users/5/coins', SUPERVISOR, undefined, 'forbidden'],
  ['PUT', '/users/5/vehicles/LA-00015', { ...SEFA, 'x-user-role': 'DEVICE' }, '{', 'forbidden'],
  ['PUT', '/users/5/status', MANAGER, '{', 'forbidden'],
  ['POST', '/internal/coins/debits', SUPERVISOR, LARGE, 'forbidden'],
  ['POST', '/internal/coins/debits', { 'x-internal-key': 'i' }, '{}', 'forbidden'],
  ['POST', '/users', TEXT_TYPE, LARGE, 'too-large'],
  ['POST', '/users', TEXT_TYPE, '{', 'unsupported-media-type'],
  ['POST', '/users', { 'content-type': 'none' }, '{', 'unsupported-media-type'],
  ['POST', '/users', NOBODY, undefined, 'unsupported-media-type'],
  ['POST', '/users', JSON_TYPE, undefined, 'malformed'],
  ['POST', '/users', JSON_TYPE, '{', 'malformed'],
  ['POST', '/users', JSON_TYPE, '[]', 'malformed'],
  ['POST', '/users/coins', { ...JSON_TYPE, ...MANAGER }, '{}', 'malformed'],
  ['POST', '/users/coins', { ...JSON_TYPE, ...MANAGER, ...GRANT_KEY }, '{}', 'invalid'],
  ['POST', '/users', JSON_TYPE, '{"role":1}', 'unknown-member'],
]) {
  const as = Object.values(headers).join();
  test(`${method} ${path} by ${as || 'nobody'} with ${body?.length} is ${code}`, async (t) => {
    const { ask, lines } = await serve(t);
    const answer = await ask(method, path, headers, body);
    const problem = JSON.parse(answer.text);
    assert.deepEqual([problem.code, problem.type], [code, `urn:park:${code}`]);
    assert.equal(answer.status, problem.status);
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.deepEqual(lines, []);
  });
}

test('a body in chunks is taken, and refused where it is too large', async (t) => {
  const { ask } = await serve(t);
  const sendParts = (text) => ask('POST', '/users', JSON_TYPE, new Blob([text]).stream());
  assert.equal((await sendParts(JSON.stringify(ASKED).padEnd(65_536))).status, 201);
  assert.equal((await sendParts(LARGE)).status, 413);
});

test('a problem has its members in order, and 405 the methods', async (t) => {
  const { ask, send } = await serve(t);
  const { text, headers } = await ask('DELETE', '/users');
  assert.equal(
    text,
    '{"type":"urn:park:method-not-allowed","title":"Method not allowed","status":405,"code":"method-not-allowed"}',
  );
  assert.equal(headers.get('allow'), 'GET, POST');
  const { errors } = JSON.parse(
    (await send('POST', '/users', NOBODY, { ...ASKED, nif: 1, lastName: '' })).text,
  );
  assert.deepEqual(errors, [
    { pointer: '/lastName', code: 'too-short' },
    { pointer: '/nif', code: 'range' },
  ]);
  const head = await ask('HEAD', '/users', SUPERVISOR);
  assert.deepEqual([head.status, head.text], [405, '']);
});

test('a database that is away has a line a second', async (t) => {
  const ask503 = () => Promise.reject(unavailable(new Error('refused')));
  const { ask, lines } = await serve(t, { ...STORE, ask: ask503 });
  for (let count = 0; count < 2; count += 1) {
    const { status, headers, text } = await ask('GET', '/health');
    assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
    assert.doesNotMatch(text, /refused/);
  }
  assert.deepEqual(lines, ['GET /health was unavailable: refused']);
});

test('an error of the service is told of without itself', async (t) => {
  const get = () => Promise.reject(new Error('SELECT'));
  const { ask, lines } = await serve(t, { ...STORE, users: { get } });
  const { status, text } = await ask('GET', '/users/5', SEFA);
  assert.equal(status, 500);
  assert.doesNotMatch(text, /SELECT/);
  assert.deepEqual(lines, ['GET /users/:id was internal: SELECT']);
});

test('what is no HTTP is 400, and nothing behind it is answered', async (t) => {
  const { port } = await serve(t);
  const next = 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n';
  for (const request of [
    `GET /health HTTP/1.1\r\n\r\n${next}`,
    `GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${next}`,
    `GET /health HTTP/1.1\r\nHost : a\r\n\r\n${next}`,
    `G(T /health HTTP/1.1\r\nHost: a\r\n\r\n${next}`,
  ]) {
    const socket = connectTcp(port, '127.0.0.1');
    socket.write(request);
    const text = (await socket.setEncoding('utf8').toArray()).join('');
    assert.match(text, /^HTTP\/1.1 400 /);
    assert.equal(text.match(/HTTP\/1.1/g).length, 1);
  }
});

test('on HTTP/2 requests are answered side by side, and HEAD without a body', async (t) => {
  const { port } = await serve(t, STORE, 'h2c');
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  t.after(() => session.close());
  const ask = async (method, path, headers, body) => {
    const stream = session.request({ ':method': method, ':path': path, ...headers });
    stream.end(body);
    const [head] = await once(stream, 'response');
    return [head[':status'], (await stream.setEncoding('utf8').toArray()).join('')];
  };
  const answers = await Promise.all([
    ask('GET', '/health', {}),
    ask('POST', '/users', JSON_TYPE, JSON.stringify(ASKED)),
    ask('POST', '/users', {}, LARGE),
    ask('HEAD', '/users', SUPERVISOR),
    ask('ODD', '/users', SUPERVISOR),
    ask('GET', '/users', { ...SUPERVISOR, 'x-large': 'a'.repeat(24 * 1024) }),
  ]);
  assert.deepEqual(
    answers.map(([status]) => status),
    [200, 201, 413, 405, 405, 431],
  );
  assert.deepEqual([answers[1][1], answers[3][1]], [JSON.stringify(USER), '']);
});

test('a service that ends answers what is in flight, and ends what was never used', async (t) => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  const { ask, port, close } = await serve(t, { ...STORE, users: { list: () => held } });
  const answer = ask('GET', '/users', SUPERVISOR);
  const unused = connectTcp(port, '127.0.0.1');
  const closed = once(unused.resume(), 'close');
  await once(unused, 'connect');
  await ask('GET', '/health', NOBODY); // by now all of them are known
  const ended = close();
  await closed;
  release([USER]);
  assert.equal((await answer).status, 200);
  await ended;
});
