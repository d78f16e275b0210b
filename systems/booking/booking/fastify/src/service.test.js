import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';

import { Problem } from './problem.js';
import { createService } from './service.js';
import { Tokens } from './tokens.js';

const AT = '2026-01-01T00:00:00Z';
const ACCOUNT = { id: 7, email: 'a@example.org', name: 'A', role: 'player', created_at: AT };
const CLUB = { id: 2, owner_id: 8, name: 'Ä "2"', city: 'c', description: '', created_at: AT };
const FACILITY = {
  ...{ id: 3, club_id: 2, name: 'F', sport: 'padel', slot_minutes: 60, opens: 360, closes: 480 },
  ...{ price_cents: 1000, retired_at: null, retired: false, created_at: AT },
};
const RESERVATION = {
  ...{ id: 4, facility_id: 3, player_id: 7, starts_at: '2040-03-01T06:00:00Z' },
  ...{ ends_at: '2040-03-01T07:00:00Z', status: 'pending', price_cents: 1000, created_at: AT },
  ...{ decided_at: null, owner_id: 8 },
};
const RESERVATION_TEXT =
  '{"id":4,"facility_id":3,"player_id":7,"starts_at":"2040-03-01T06:00:00Z",' +
  '"ends_at":"2040-03-01T07:00:00Z","status":"pending","price_cents":1000,' +
  '"created_at":"2026-01-01T00:00:00Z","decided_at":null}';
const RATING = { reservation_id: 4, facility_id: 3, stars: 5, comment: '', created_at: AT };

const TOKENS = new Tokens({ secret: 'k'.repeat(32), ttlSeconds: 3600 });
const PLAYER = `Bearer ${TOKENS.issue({ id: 7, role: 'player' })}`;
const OWNER = `bearer ${TOKENS.issue({ id: 8, role: 'owner' })}`;

const PASSWORDS = {
  hash: async (password) => `hash of ${password}`,
  isRight: async (password, hash) => hash === `hash of ${password}`,
};

/** A store in which all is there that is asked for. */
const STORE = {
  accounts: {
    add: async ({ email }) => (email === 'taken@example.org' ? undefined : { ...ACCOUNT, email }),
    byEmail: async (email) =>
      email === ACCOUNT.email ? { id: 7, role: 'player', password_hash: 'hash of p' } : undefined,
    byId: async (id) => (id === ACCOUNT.id ? ACCOUNT : undefined),
  },
  clubs: {
    list: async () => [CLUB, { ...CLUB, id: 5 }],
    add: async () => CLUB,
    get: async (id) => (id === '2' ? CLUB : undefined),
  },
  facilities: {
    add: async () => FACILITY,
    retire: async () => {},
    day: async () => ({ facility: FACILITY, taken: [RESERVATION] }),
  },
  reservations: {
    reserve: async (account, wanted, key, encode) => ({
      body: encode(RESERVATION),
      isReplayed: key === 'used',
    }),
    get: async () => RESERVATION,
    decide: async (id, account, status) => ({ ...RESERVATION, status, decided_at: AT }),
    cancel: async () => RESERVATION,
  },
  ratings: {
    rate: async (id, account, { stars }) => ({ ...RATING, stars, is_new: stars === 5 }),
    list: async () => ({ rows: [RATING], count: 1, average: 4.5 }),
  },
  ask: async () => {},
  close: () => {},
};

/** Starts a service; `ask` sends it a request, and `lines` is what it has logged. */
async function serve(t, store = STORE) {
  const lines = [];
  const log = new Writable({
    write: (line, encoding, done) => done(lines.push(String(line)) && null),
  });
  const parts = { store, tokens: TOKENS, passwords: PASSWORDS, logLevel: 'warn' };
  const service = createService(parts, log);
  const address = await service.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => service.close());
  const ask = async (method, path, { as, type, body, key } = {}) => {
    const headers = { authorization: as, 'content-type': type, 'idempotency-key': key };
    for (const [name, value] of Object.entries(headers)) {
      if (value === undefined) delete headers[name];
    }
    const response = await fetch(address + path, { method, body, headers, duplex: 'half' });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const send = (method, path, as, value, more) =>
    ask(method, path, { as, type: 'application/json', body: JSON.stringify(value), ...more });
  return { ask, send, lines };
}

const RIGHT_CLUB = { name: 'n', city: 'c' };
const RIGHT_RESERVATION = { facility_id: 3, starts_at: '2040-03-01T06:00:00Z' };

test('an account is answered without its password', async (t) => {
  const { ask, send } = await serve(t);
  const wanted = { email: 'N@example.org', name: 'n', password: 'p'.repeat(8) };
  const { status, headers, text } = await send('POST', '/accounts', undefined, wanted);
  assert.deepEqual([status, headers.get('content-type')], [201, 'application/json']);
  assert.equal(
    text,
    '{"id":7,"email":"n@example.org","name":"A","role":"player","created_at":"2026-01-01T00:00:00Z"}',
  );
  const taken = await send('POST', '/accounts', undefined, {
    ...wanted,
    email: 'TAKEN@example.org',
  });
  assert.equal(taken.status, 409);
  assert.equal(JSON.parse((await ask('GET', '/accounts/me', { as: PLAYER })).text).id, 7);
});

test('a token is given for the right password alone', async (t) => {
  const { ask, send } = await serve(t);
  const logIn = (email, password) => send('POST', '/auth/login', undefined, { email, password });
  const { status, text } = await logIn('A@Example.org', 'p');
  const { token, ...others } = JSON.parse(text);
  assert.deepEqual([status, others], [200, { token_type: 'Bearer', expires_in: 3600 }]);
  assert.equal((await ask('GET', '/clubs', { as: `BEARER ${token}` })).status, 200);
  const wrong = await logIn('a@example.org', 'q');
  assert.deepEqual([wrong.status, wrong.headers.get('www-authenticate')], [401, null]);
  assert.equal((await logIn('nobody', 'p')).text, wrong.text);
});

test('an account that is not there has no token', async (t) => {
  const { ask } = await serve(t);
  const { status, headers } = await ask('GET', '/accounts/me', { as: OWNER });
  assert.deepEqual([status, headers.get('www-authenticate')], [401, 'Bearer']);
});

test('a page is compact, and tells of the next one', async (t) => {
  const { ask } = await serve(t);
  const { text } = await ask('GET', '/clubs?limit=1', { as: PLAYER });
  assert.equal(
    text,
    '{"items":[{"id":2,"owner_id":8,"name":"Ä \\"2\\"","city":"c","description":"",' +
      '"created_at":"2026-01-01T00:00:00Z"}],"next_cursor":"Mg"}',
  );
  const all = JSON.parse((await ask('GET', '/clubs', { as: PLAYER })).text);
  assert.deepEqual([all.items.length, all.next_cursor], [2, null]);
});

test('what is created has its place', async (t) => {
  const { send } = await serve(t);
  const club = await send('POST', '/clubs', OWNER, RIGHT_CLUB);
  assert.deepEqual([club.status, club.headers.get('location')], [201, '/clubs/2']);
  const facility = await send('POST', '/clubs/2/facilities', OWNER, FACILITY);
  assert.deepEqual([facility.status, facility.headers.get('location')], [201, '/facilities/3']);
  assert.deepEqual(Object.keys(JSON.parse(facility.text)).slice(-2), ['retired', 'created_at']);
});

test('a reservation is answered as it is stored with its key', async (t) => {
  const { send } = await serve(t);
  for (const [key, replayed] of [
    [undefined, null],
    ['new', null],
    ['used', 'true'],
  ]) {
    const answer = await send('POST', '/reservations', PLAYER, RIGHT_RESERVATION, { key });
    assert.deepEqual([answer.status, answer.text], [201, RESERVATION_TEXT]);
    assert.equal(answer.headers.get('location'), '/reservations/4');
    assert.equal(answer.headers.get('idempotency-replayed'), replayed);
  }
});

for (const [verb, as, status] of [
  ['accept', OWNER, 'accepted'],
  ['reject', OWNER, 'rejected'],
  ['cancel', PLAYER, 'pending'],
]) {
  test(`${verb} takes any body`, async (t) => {
    const { ask } = await serve(t);
    const path = `/reservations/4/${verb}`;
    for (const more of [{}, { type: 'application/json' }, { body: LARGE }, { type: 'none' }]) {
      const answer = await ask('POST', path, { as, ...more });
      assert.deepEqual([answer.status, JSON.parse(answer.text).status], [200, status]);
    }
  });
}

test('a rating is created once', async (t) => {
  const { ask, send } = await serve(t);
  const path = '/reservations/4/rating';
  assert.equal((await send('PUT', path, PLAYER, { stars: 5 })).status, 201);
  assert.equal((await send('PUT', path, PLAYER, { stars: 4 })).status, 200);
  assert.equal(
    (await ask('GET', '/facilities/3/ratings', { as: OWNER })).text,
    '{"items":[{"reservation_id":4,"facility_id":3,"stars":5,"comment":"",' +
      '"created_at":"2026-01-01T00:00:00Z"}],"next_cursor":null,"count":1,"average":4.5}',
  );
});

test('slots are those of a day', async (t) => {
  const { ask } = await serve(t);
  const { text } = await ask('GET', '/facilities/3/slots?date=2040-03-01', { as: PLAYER });
  assert.deepEqual(JSON.parse(text), {
    date: '2040-03-01',
    slots: [
      { starts_at: '2040-03-01T06:00:00Z', ends_at: '2040-03-01T07:00:00Z', available: false },
      { starts_at: '2040-03-01T07:00:00Z', ends_at: '2040-03-01T08:00:00Z', available: true },
    ],
  });
});

test('a facility that is retired has no body', async (t) => {
  const { ask } = await serve(t);
  const { status, text } = await ask('DELETE', '/facilities/3', { as: OWNER, body: '{' });
  assert.deepEqual([status, text], [204, '']);
});

const LARGE = 'a'.repeat(17 * 1024);
const JSON_TYPE = 'application/json';

for (const [method, path, sent, status, code] of [
  ['POST', '/nothing', { body: LARGE }, 404, 'not-found'],
  ['GET', '/clubs/%zz', {}, 404, 'not-found'],
  ['GET', `/clubs/${'1'.repeat(200)}`, {}, 404, 'not-found'],
  ['PATCH', '/clubs', { body: LARGE }, 405, 'method-not-allowed'],
  ['POST', '/clubs', { body: LARGE }, 401, 'unauthenticated'],
  ['POST', '/clubs', { as: 'Basic YTpi', body: LARGE }, 401, 'unauthenticated'],
  ['POST', '/clubs', { as: 'Bearer', body: LARGE }, 401, 'unauthenticated'],
  ['POST', '/clubs', { as: `${PLAYER}x`, body: LARGE }, 401, 'unauthenticated'],
  ['POST', '/clubs', { as: PLAYER, body: LARGE }, 403, 'forbidden'],
  ['POST', '/reservations', { as: OWNER, body: LARGE }, 403, 'forbidden'],
  ['POST', '/clubs', { as: OWNER, body: LARGE, type: 'none' }, 413, 'too-large'],
  ['POST', '/clubs', { as: OWNER }, 415, 'unsupported-media-type'],
  ['POST', '/clubs', { as: OWNER, body: '{', type: 'text/plain' }, 415, 'unsupported-media-type'],
  ['POST', '/clubs', { as: OWNER, body: '{', type: 'none' }, 415, 'unsupported-media-type'],
  ['POST', '/clubs', { as: OWNER, type: JSON_TYPE }, 400, 'malformed'],
  ['POST', '/clubs', { as: OWNER, body: '{', type: JSON_TYPE }, 400, 'malformed'],
  ['POST', '/clubs', { as: OWNER, body: '{}{}', type: JSON_TYPE }, 400, 'malformed'],
  ['POST', '/clubs', { as: OWNER, body: Buffer.from([34, 255, 34]), type: JSON_TYPE }, 400],
  ['POST', '/reservations', { as: PLAYER, body: '{}', type: JSON_TYPE, key: 'a b' }, 400],
  ['PUT', '/clubs/9', { as: OWNER, body: '{}', type: JSON_TYPE }, 422, 'validation'],
  ['POST', '/clubs', { as: OWNER, body: '['.repeat(7000), type: JSON_TYPE }, 400, 'malformed'],
  ['GET', '/clubs/9', { as: OWNER }, 404, 'not-found'],
  ['GET', '/clubs?limit=0', { as: OWNER }, 400, 'malformed'],
  ['GET', '/clubs?city=%00', { as: OWNER }, 400, 'malformed'],
  ['GET', '/facilities/3/slots', { as: OWNER }, 400, 'malformed'],
  ['GET', '/facilities?available=true', { as: OWNER }, 400, 'malformed'],
]) {
  const { as = 'nobody', body, type } = sent;
  test(`${method} ${path.slice(0, 25)} by ${as.slice(-5)}, ${body?.length} of ${type} is ${status}`, async (t) => {
    const { ask, lines } = await serve(t);
    const answer = await ask(method, path, sent);
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    const problem = JSON.parse(answer.text);
    assert.equal(problem.status, status);
    assert.equal(problem.type, `https://booking.example/problems/${code ?? 'malformed'}`);
    assert.deepEqual(lines, []);
  });
}

test('a body in chunks is taken, and refused where it is too large', async (t) => {
  const { ask } = await serve(t);
  const chunked = (text) => ({ as: OWNER, type: JSON_TYPE, body: new Blob([text]).stream() });
  const right = await ask('POST', '/clubs', chunked(JSON.stringify(RIGHT_CLUB)));
  assert.equal(right.status, 201);
  assert.equal((await ask('POST', '/clubs', chunked(LARGE))).status, 413);
});

test('the type of a body may have parameters', async (t) => {
  const { send } = await serve(t);
  const type = 'Application/JSON; charset=latin1';
  assert.equal((await send('POST', '/clubs', OWNER, RIGHT_CLUB, { type })).status, 201);
});

test('a problem has its members in their order, and 405 the methods', async (t) => {
  const { ask, send } = await serve(t);
  const { text, headers } = await ask('PATCH', '/facilities/1');
  assert.equal(
    text,
    '{"type":"https://booking.example/problems/method-not-allowed","title":"Method not allowed",' +
      '"status":405,"detail":"The path does not have this method."}',
  );
  assert.equal(headers.get('allow'), 'GET, PUT, DELETE');
  const { errors } = JSON.parse((await send('POST', '/clubs', OWNER, { city: 1 })).text);
  assert.deepEqual(errors, [
    { pointer: '/name', code: 'required' },
    { pointer: '/city', code: 'type' },
  ]);
});

test('a failure of the database has a line in the log', async (t) => {
  const cause = new Error('refused');
  const ask503 = () => Promise.reject(new Problem('unavailable', { cause }));
  const { ask, lines } = await serve(t, { ...STORE, ask: ask503 });
  assert.equal((await ask('GET', '/healthz')).text, '{"status":"ok"}');
  const { status, headers, text } = await ask('GET', '/readyz');
  assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
  assert.doesNotMatch(text, /refused/);
  assert.equal(lines.length, 1);
  assert.match(lines[0], /unavailable: refused/);
});

test('an error of the service is told of without itself', async (t) => {
  const get = () => Promise.reject(new Error('SELECT of TypeError'));
  const { ask, lines } = await serve(t, { ...STORE, clubs: { get } });
  const { status, text } = await ask('GET', '/clubs/2', { as: PLAYER });
  assert.equal(status, 500);
  assert.doesNotMatch(text, /SELECT|TypeError/);
  assert.equal(lines.length, 1);
});
