import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { isProblem, serve } from '../testing/served.js';

const FACILITY = {
  name: 'F',
  sport: 'tennis',
  slot_minutes: 60,
  opens: 360,
  closes: 1320,
  price_cents: 1000,
};
const WISH = { facility_id: 1, starts_at: '2040-03-02T08:00:00+02:00', slots: 2 };

/** A service with a facility, its owner, another owner and two players. */
async function serveFacility(t: TestContext) {
  const served = await serve(t);
  const { ask, tokenOf } = served;
  const owner = await tokenOf(1, 'owner');
  const otherOwner = await tokenOf(2, 'owner');
  const player = await tokenOf(3, 'player');
  const otherPlayer = await tokenOf(4, 'player');
  await ask('POST', '/clubs', { token: owner, body: { name: 'C', city: 'N' } });
  const made = await ask('POST', '/clubs/1/facilities', { token: owner, body: FACILITY });
  assert.deepEqual([made.status, made.headers.get('location')], [201, '/facilities/1']);
  return { ...served, owner, otherOwner, player, otherPlayer };
}

test('a reservation is made by a player, seen by both sides, and refused to rivals', async (t) => {
  const { ask, owner, otherOwner, player, otherPlayer } = await serveFacility(t);
  const made = await ask('POST', '/reservations', { token: player, body: WISH });
  assert.deepEqual([made.status, made.headers.get('location')], [201, '/reservations/1']);
  assert.equal(
    made.text,
    '{"id":1,"facility_id":1,"player_id":3,"starts_at":"2040-03-02T06:00:00Z","ends_at":"2040-03-02T08:00:00Z",' +
      '"status":"pending","price_cents":2000,"created_at":"2026-01-01T00:00:00Z","decided_at":null}',
  );
  for (const token of [player, owner]) {
    assert.equal((await ask('GET', '/reservations/1', { token })).text, made.text);
  }
  for (const token of [otherPlayer, otherOwner]) {
    isProblem(await ask('GET', '/reservations/1', { token }), 404, 'not-found');
  }
  const rival = { ...WISH, starts_at: '2040-03-02T07:00:00Z', slots: 1 };
  isProblem(
    await ask('POST', '/reservations', { token: otherPlayer, body: rival }),
    409,
    'slot-taken',
  );
  isProblem(await ask('POST', '/reservations', { token: owner, body: WISH }), 403, 'forbidden');
});

test('a start has to be on the grid, before anything is said of the facility', async (t) => {
  const { ask, owner, player } = await serveFacility(t);
  const { status } = await ask('DELETE', '/facilities/1', { token: owner });
  assert.equal(status, 204);
  for (const [starts_at, code] of [
    ['2040-03-02T05:00:00Z', 'outside-hours'],
    ['2040-03-02T06:30:00Z', 'not-aligned'],
  ] as const) {
    const answer = await ask('POST', '/reservations', {
      token: player,
      body: { ...WISH, starts_at },
    });
    isProblem(answer, 422, 'validation');
    assert.deepEqual(answer.value.errors, [{ pointer: '/starts_at', code }]);
  }
  isProblem(
    await ask('POST', '/reservations', { token: player, body: WISH }),
    409,
    'facility-retired',
  );
  const unknown = { ...WISH, facility_id: 9 };
  isProblem(await ask('POST', '/reservations', { token: player, body: unknown }), 404, 'not-found');
});

test('a key gives the same reservation again', async (t) => {
  const { ask, player, otherPlayer } = await serveFacility(t);
  const headers = { 'idempotency-key': 'k' };
  const first = await ask('POST', '/reservations', { token: player, body: WISH, headers });
  assert.equal(first.headers.get('idempotency-replayed'), null);
  const body = { ...WISH, starts_at: '2040-03-02T06:00:00Z' };
  const again = await ask('POST', '/reservations', { token: player, body, headers });
  assert.deepEqual([again.status, again.text], [201, first.text]);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal(again.headers.get('location'), '/reservations/1');
  const other = { ...WISH, slots: 1 };
  isProblem(
    await ask('POST', '/reservations', { token: player, body: other, headers }),
    422,
    'idempotency-mismatch',
  );
  isProblem(
    await ask('POST', '/reservations', { token: otherPlayer, body: WISH, headers }),
    409,
    'slot-taken',
  );
});

test('a refusal is not kept with its key', async (t) => {
  const { ask, player, otherPlayer } = await serveFacility(t);
  await ask('POST', '/reservations', { token: player, body: WISH });
  const sent = { token: otherPlayer, body: WISH, headers: { 'idempotency-key': 'k' } };
  isProblem(await ask('POST', '/reservations', sent), 409, 'slot-taken');
  await ask('POST', '/reservations/1/cancel', { token: player });
  assert.equal((await ask('POST', '/reservations', sent)).status, 201);
});

test('a reservation goes from state to state as SPEC.md has it', async (t) => {
  const { ask, owner, otherOwner, player, otherPlayer } = await serveFacility(t);
  await ask('POST', '/reservations', { token: player, body: WISH });
  isProblem(await ask('POST', '/reservations/1/accept', { token: player }), 403, 'forbidden');
  isProblem(await ask('POST', '/reservations/1/accept', { token: otherOwner }), 404, 'not-found');
  const accepted = await ask('POST', '/reservations/1/accept', { token: owner, body: 'anything' });
  assert.deepEqual([accepted.status, accepted.value.status], [200, 'accepted']);
  assert.equal(accepted.value.decided_at, '2026-01-01T00:00:00Z');
  isProblem(await ask('POST', '/reservations/1/reject', { token: owner }), 409, 'wrong-state');
  isProblem(await ask('POST', '/reservations/1/cancel', { token: owner }), 403, 'forbidden');
  isProblem(await ask('POST', '/reservations/1/cancel', { token: otherPlayer }), 404, 'not-found');
  const cancelled = await ask('POST', '/reservations/1/cancel', { token: player });
  assert.deepEqual([cancelled.status, cancelled.value.status], [200, 'cancelled']);
  isProblem(await ask('POST', '/reservations/1/cancel', { token: player }), 409, 'wrong-state');
});

test('a reservation that lives is rated, once', async (t) => {
  const { ask, player, otherPlayer } = await serveFacility(t);
  await ask('POST', '/reservations', { token: player, body: WISH });
  const rate = (token: string, stars: number) =>
    ask('PUT', '/reservations/1/rating', { token, body: { stars } });
  isProblem(await rate(otherPlayer, 5), 404, 'not-found');
  assert.equal((await rate(player, 4)).status, 201);
  assert.equal((await rate(player, 5)).status, 200);
  const { text } = await ask('GET', '/facilities/1/ratings', { token: otherPlayer });
  assert.equal(
    text,
    '{"items":[{"reservation_id":1,"facility_id":1,"stars":5,"comment":"","created_at":"2026-01-01T00:00:00Z"}],' +
      '"next_cursor":null,"count":1,"average":5}',
  );
  await ask('POST', '/reservations/1/cancel', { token: player });
  isProblem(await rate(player, 1), 409, 'wrong-state');
});

test('the slots of a day show what is taken', async (t) => {
  const { ask, player } = await serveFacility(t);
  await ask('POST', '/reservations', { token: player, body: WISH });
  const { text, value } = await ask('GET', '/facilities/1/slots?date=2040-03-02', {
    token: player,
  });
  assert.match(
    text,
    /^\{"date":"2040-03-02","slots":\[\{"starts_at":"2040-03-02T06:00:00Z","ends_at":"2040-03-02T07:00:00Z","available":false\},/,
  );
  const slots = value.slots as { available: boolean }[];
  assert.equal(slots.length, 16);
  assert.equal(slots.filter(({ available }) => !available).length, 2);
});
