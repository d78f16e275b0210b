import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  newAccount,
  newClub,
  newCredentials,
  newFacility,
  newRating,
  newReservation,
} from './bodies.js';

const ASTRAL = '\u{1F600}';
const NOW = Date.parse('2030-01-01T00:00:00.500Z');

const ACCOUNT = { email: 'A.b@Example.org', name: 'n', password: 'p'.repeat(8) };
const CLUB = { name: 'n', city: 'c' };
const FACILITY = {
  name: 'n',
  sport: 'padel',
  slot_minutes: 60,
  opens: 360,
  closes: 1320,
  price_cents: 0,
};
const RESERVATION = { facility_id: 1, starts_at: '2040-03-01T08:00:00+02:00' };

/** The faults of what a function refuses, as `pointer code`. */
function faultsOf(work) {
  try {
    work();
  } catch ({ code, faults }) {
    assert.equal(code, 'validation');
    return faults.map((fault) => `${fault.pointer} ${fault.code}`);
  }
  return [];
}

const account = (change) => faultsOf(() => newAccount({ ...ACCOUNT, ...change }));
const club = (change) => faultsOf(() => newClub({ ...CLUB, ...change }));
const facility = (change) => faultsOf(() => newFacility({ ...FACILITY, ...change }));
const reservation = (change) => faultsOf(() => newReservation({ ...RESERVATION, ...change }, NOW));
const rating = (change) => faultsOf(() => newRating({ stars: 5, ...change }));

test('what is valid is taken without what is not named, and with defaults', () => {
  assert.deepEqual(newAccount({ ...ACCOUNT, more: 1 }), {
    email: 'a.b@example.org',
    name: 'n',
    password: 'pppppppp',
    role: 'player',
  });
  assert.deepEqual(newClub({ ...CLUB, description: null }), { ...CLUB, description: '' });
  assert.deepEqual(newFacility(FACILITY), FACILITY);
  assert.deepEqual(newReservation({ ...RESERVATION, slots: null }, NOW), {
    facility_id: 1,
    start: { seconds: Date.parse('2040-03-01T06:00:00Z') / 1000, fraction: 0 },
    slots: 1,
  });
  assert.deepEqual(newRating({ stars: 1 }), { stars: 1, comment: '' });
});

for (const value of [null, [], 1, 'a', true]) {
  test(`${JSON.stringify(value)} is no object`, () => {
    for (const read of [newAccount, newCredentials, newClub, newFacility, newRating]) {
      assert.deepEqual(
        faultsOf(() => read(value)),
        [' type'],
      );
    }
  });
}

test('every member with a fault is told of, in their order', () => {
  assert.deepEqual(
    faultsOf(() => newFacility({ price_cents: -1, closes: 0, sport: 1, name: null })),
    [
      '/name required',
      '/sport type',
      '/slot_minutes required',
      '/opens required',
      '/price_cents range',
    ],
  );
  assert.deepEqual(facility({ closes: 360, price_cents: '1' }), [
    '/closes range',
    '/price_cents type',
  ]);
  assert.deepEqual(reservation({ starts_at: '2029-01-01T00:00:00Z', slots: 5 }), [
    '/starts_at in-past',
    '/slots range',
  ]);
});

for (const [value, code] of [
  ['', 'format'],
  ['a@b', 'format'],
  ['a@b.c', 'too-short'],
  ['@example.org', 'format'],
  ['a b@example.org', 'format'],
  ['\u212A@example.org', 'format'],
  ['ä@example.org', 'format'],
  ['a@example.org\n', 'format'],
  [`${'a'.repeat(65)}@example.org`, 'format'],
  [5, 'type'],
]) {
  test(`the e-mail address ${JSON.stringify(value)} is ${code}`, () => {
    assert.deepEqual(account({ email: value }), [`/email ${code}`]);
  });
}

test('an e-mail address may be as long as its parts', () => {
  assert.deepEqual(account({ email: `${'a'.repeat(64)}@${'b'.repeat(189)}` }), []);
});

test('a password is counted in bytes', () => {
  assert.deepEqual(account({ password: 'ä'.repeat(4) }), []);
  assert.deepEqual(account({ password: 'ä'.repeat(36) }), []);
  assert.deepEqual(account({ password: 'a'.repeat(7) }), ['/password too-short']);
  assert.deepEqual(account({ password: `a${'ä'.repeat(36)}` }), ['/password too-long']);
  assert.deepEqual(account({ password: 'a\0'.repeat(8) }), ['/password format']);
});

test('a role is one of two', () => {
  assert.deepEqual(account({ role: 'admin' }), ['/role unknown-value']);
  assert.deepEqual(account({ role: 1 }), ['/role type']);
  assert.equal(newAccount({ ...ACCOUNT, role: null }).role, 'player');
});

test('credentials are any text', () => {
  assert.deepEqual(newCredentials({ email: 'X', password: '' }), { email: 'x', password: '' });
  assert.deepEqual(
    faultsOf(() => newCredentials({ email: null, password: '\0' })),
    ['/email required', '/password format'],
  );
});

test('names are counted in code points', () => {
  assert.deepEqual(club({ name: ASTRAL.repeat(100) }), []);
  assert.deepEqual(club({ name: ASTRAL.repeat(101) }), ['/name too-long']);
  assert.deepEqual(club({ name: 'n'.repeat(101) }), ['/name too-long']);
  assert.deepEqual(club({ description: 'n'.repeat(1001) }), ['/description too-long']);
  assert.deepEqual(club({ name: '', city: '' }), ['/name too-short', '/city too-short']);
});

for (const character of ['\0', '\ud800', '\udc00']) {
  test(`${JSON.stringify(character)} is in no text`, () => {
    assert.deepEqual(club({ name: `n${character}` }), ['/name format']);
  });
}

for (const value of ['60', 60.5, true, [], {}, Infinity]) {
  test(`${JSON.stringify(value)} is no integer`, () => {
    assert.deepEqual(facility({ slot_minutes: value }), ['/slot_minutes type']);
    assert.deepEqual(reservation({ facility_id: value }), ['/facility_id type']);
  });
}

for (const value of [2 ** 63, -(2 ** 63)]) {
  test(`${value} is out of range`, () => {
    assert.deepEqual(facility({ slot_minutes: value }), ['/slot_minutes range']);
    assert.deepEqual(reservation({ facility_id: value }), ['/facility_id range']);
  });
}

test('hours are whole slots', () => {
  assert.deepEqual(facility({ slot_minutes: 45 }), ['/slot_minutes unknown-value']);
  assert.deepEqual(facility({ opens: 1320, closes: 360 }), ['/closes range']);
  assert.deepEqual(facility({ closes: 1321 }), ['/closes not-aligned']);
  assert.deepEqual(facility({ closes: 1441 }), ['/closes range']);
  assert.deepEqual(facility({ opens: 0, closes: 1440, slot_minutes: 90 }), []);
});

for (const [value, code] of [
  ['2040-02-30T06:00:00Z', 'format'],
  ['2100-01-01T00:00:00Z', 'range'],
  ['2019-12-31T23:59:59Z', 'range'],
  ['2030-01-01T00:00:00Z', 'in-past'],
  ['2030-01-01T00:00:00.5Z', 'in-past'],
  [5, 'type'],
  [null, 'required'],
]) {
  test(`a start at ${value} is ${code}`, () => {
    assert.deepEqual(reservation({ starts_at: value }), [`/starts_at ${code}`]);
  });
}

test('a start may be as soon as behind now', () => {
  assert.deepEqual(reservation({ starts_at: '2030-01-01T00:00:00.501Z' }), []);
});

test('stars are 1 to 5', () => {
  assert.deepEqual(rating({ stars: 0 }), ['/stars range']);
  assert.deepEqual(rating({ stars: 6 }), ['/stars range']);
  assert.deepEqual(rating({ stars: 4.5 }), ['/stars type']);
  assert.deepEqual(rating({ comment: 'c'.repeat(501) }), ['/comment too-long']);
});
