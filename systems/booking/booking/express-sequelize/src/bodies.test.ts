import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { z } from 'zod';

import {
  accountBody,
  clubBody,
  facilityBody,
  logInBody,
  ratingBody,
  reservationBody,
} from './bodies.js';
import { valid } from './members.js';
import { Problem } from './problem.js';

const ASTRAL = '\u{1F600}';
const NOW = Date.parse('2040-03-01T06:00:00Z');

const ACCOUNT = { email: 'A.b+c@Example.com', name: 'A', password: 'court-side' };
const FACILITY = {
  name: 'F',
  sport: 'tennis',
  slot_minutes: 60,
  opens: 360,
  closes: 1320,
  price_cents: 1000,
};
const RESERVATION = { facility_id: 7, starts_at: '2040-03-01T08:00:00+01:00' };
const reservation = reservationBody(() => NOW);

/** The faults of a body, as `pointer code`. */
function faults(shape: z.ZodObject, body: unknown): string[] {
  try {
    valid(shape, body);
  } catch (error) {
    assert.ok(error instanceof Problem && error.code === 'validation');
    return (error.faults ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
  }
  return [];
}

test('an account has an address in lower case, and is of a player where nothing is said', () => {
  const expected = { ...ACCOUNT, email: 'a.b+c@example.com', role: 'player' };
  assert.deepEqual(valid(accountBody, { ...ACCOUNT, id: 1 }), expected);
  assert.deepEqual(valid(accountBody, { ...ACCOUNT, role: null }), expected);
  assert.equal(valid(accountBody, { ...ACCOUNT, role: 'owner' }).role, 'owner');
});

test('defaults stand for what is missing or null', () => {
  const club = { name: 'C', city: 'N' };
  assert.equal(valid(clubBody, club).description, '');
  assert.equal(valid(clubBody, { ...club, description: null }).description, '');
  assert.equal(valid(ratingBody, { stars: 5 }).comment, '');
  assert.equal(valid(reservation, { ...RESERVATION, slots: null }).slots, 1);
});

test('a start is read', () => {
  const { starts_at } = valid(reservation, RESERVATION);
  assert.deepEqual(starts_at, { seconds: NOW / 1000 + 3600, hasFraction: false });
});

test('nothing but an object is a body', () => {
  for (const shape of [accountBody, logInBody, clubBody, facilityBody, reservation, ratingBody]) {
    for (const body of [null, [], [FACILITY], 1, 'a', true]) {
      assert.deepEqual(faults(shape, body), [' type']);
    }
  }
});

test('what is missing is required, in the order of the members', () => {
  assert.deepEqual(faults(accountBody, {}), [
    '/email required',
    '/name required',
    '/password required',
  ]);
  assert.deepEqual(faults(facilityBody, { closes: null }), [
    '/name required',
    '/sport required',
    '/slot_minutes required',
    '/opens required',
    '/closes required',
    '/price_cents required',
  ]);
});

for (const [member, value, code] of [
  ['email', 1, 'type'],
  ['email', 'a\0@example.com', 'format'],
  ['email', 'a@b', 'format'],
  ['email', 'a@b.c', 'too-short'],
  ['email', `${'a'.repeat(65)}@example.com`, 'format'],
  ['email', '\u212Aelvin@example.com', 'format'], // a letter whose lower case is that of ASCII
  ['name', '', 'too-short'],
  ['name', 'a'.repeat(101), 'too-long'],
  ['name', ASTRAL.repeat(101), 'too-long'],
  ['name', 'a\0', 'format'],
  ['name', `${'a'.repeat(101)}\0`, 'format'],
  ['name', '\ud800', 'format'],
  ['name', true, 'type'],
  ['password', 'a'.repeat(7), 'too-short'],
  ['password', 'a'.repeat(73), 'too-long'],
  ['password', 'ä'.repeat(37), 'too-long'],
  ['password', [], 'type'],
  ['role', 'admin', 'unknown-value'],
  ['role', 'Owner', 'unknown-value'],
  ['role', 1, 'type'],
] as const) {
  test(`the ${member} ${JSON.stringify(value)} is ${code}`, () => {
    assert.deepEqual(faults(accountBody, { ...ACCOUNT, [member]: value }), [`/${member} ${code}`]);
  });
}

test('code points and bytes are counted', () => {
  assert.deepEqual(faults(accountBody, { ...ACCOUNT, name: ASTRAL.repeat(100) }), []);
  assert.deepEqual(faults(accountBody, { ...ACCOUNT, password: 'ä'.repeat(36) }), []);
  assert.deepEqual(faults(accountBody, { ...ACCOUNT, password: 'ä'.repeat(4) }), []);
});

for (const [member, value, code] of [
  ['sport', 'chess', 'unknown-value'],
  ['slot_minutes', 45, 'unknown-value'],
  ['slot_minutes', '60', 'type'],
  ['slot_minutes', 2 ** 63, 'range'],
  ['opens', -1, 'range'],
  ['opens', 5.5, 'type'],
  ['opens', Infinity, 'type'],
  ['opens', '0', 'type'],
  ['closes', 1441, 'range'],
  ['closes', 360, 'range'],
  ['closes', 300, 'range'],
  ['closes', 390, 'not-aligned'],
  ['price_cents', 1_000_001, 'range'],
  ['price_cents', true, 'type'],
] as const) {
  test(`the ${member} ${JSON.stringify(value)} is ${code}`, () => {
    const body = { ...FACILITY, [member]: value };
    assert.deepEqual(faults(facilityBody, body), [`/${member} ${code}`]);
  });
}

test('the hours are compared whatever else is wrong, and stand in the order of the members', () => {
  const body = { ...FACILITY, name: '\0', closes: 0, price_cents: -1 };
  assert.deepEqual(faults(facilityBody, body), [
    '/name format',
    '/closes range',
    '/price_cents range',
  ]);
  assert.deepEqual(faults(facilityBody, { ...FACILITY, name: 1, closes: 1 }), [
    '/name type',
    '/closes range',
  ]);
});

for (const [member, value, code] of [
  ['facility_id', 0, 'range'],
  ['facility_id', '7', 'type'],
  ['facility_id', 2 ** 63, 'range'],
  ['facility_id', -(2 ** 63), 'range'],
  ['starts_at', 5, 'type'],
  ['starts_at', 'soon', 'format'],
  ['starts_at', '2040-03-01T06:00:00Z\0', 'format'],
  ['starts_at', '2019-12-31T23:00:00Z', 'range'],
  ['starts_at', '2100-01-01T00:00:00Z', 'range'],
  ['starts_at', '2040-03-01T06:00:00Z', 'in-past'],
  ['slots', 0, 'range'],
  ['slots', 5, 'range'],
  ['slots', 1.5, 'type'],
  ['slots', '1', 'type'],
] as const) {
  test(`the ${member} ${JSON.stringify(value)} is ${code}`, () => {
    const body = { ...RESERVATION, [member]: value };
    assert.deepEqual(faults(reservation, body), [`/${member} ${code}`]);
  });
}

test('any text may be tried as a password', () => {
  assert.deepEqual(faults(logInBody, { email: '', password: 'a'.repeat(1000) }), []);
  assert.deepEqual(faults(logInBody, { email: 1, password: 'a\0' }), [
    '/email type',
    '/password format',
  ]);
});

test('stars are 1 to 5', () => {
  for (const stars of [0, 6]) assert.deepEqual(faults(ratingBody, { stars }), ['/stars range']);
  assert.deepEqual(faults(ratingBody, { stars: 4.5 }), ['/stars type']);
  const comment = 'a'.repeat(501);
  assert.deepEqual(faults(ratingBody, { stars: 5, comment }), ['/comment too-long']);
});
