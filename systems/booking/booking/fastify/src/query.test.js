import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clubFilters, dayOf, facilityFilters, reservationFilters } from './query.js';

const ACCOUNT = { id: 7, role: 'owner' };
const AT = '2040-03-10T10:00:00Z';

test('filters that are missing are none', () => {
  for (const filters of [clubFilters({}, ACCOUNT), facilityFilters({}), reservationFilters({})]) {
    assert.ok(Object.values(filters).every((value) => value === undefined));
  }
});

test('clubs are filtered by their owner, their city and a part of their name', () => {
  assert.deepEqual(clubFilters({ mine: 'true', city: 'c', q: 'q' }, ACCOUNT), {
    owner: 7,
    city: 'c',
    name: '%q%',
  });
  assert.equal(clubFilters({ mine: 'false' }, ACCOUNT).owner, undefined);
  assert.equal(clubFilters({ q: '50%_\\' }, ACCOUNT).name, '%50\\%\\_\\\\%');
});

test('facilities are filtered by what is free at an instant', () => {
  assert.deepEqual(facilityFilters({ available: 'true', at: '2040-03-10T12:00:00+02:00' }), {
    sport: undefined,
    city: undefined,
    club: undefined,
    minute: 600,
    at: AT,
  });
  assert.equal(facilityFilters({ available: 'true', at: '2040-03-10T10:00:00.1Z' }).minute, -1);
  assert.equal(facilityFilters({ at: AT }).at, undefined);
  assert.equal(facilityFilters({ available: 'false', at: AT }).at, undefined);
});

test('an instant of any year is one that PostgreSQL reads', () => {
  for (const [at, shown] of [
    ['0000-01-01T00:00:00+01:00', '1000-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59-01:00', '9999-12-31T00:00:00Z'],
  ]) {
    assert.equal(facilityFilters({ available: 'true', at }).at, shown);
  }
});

test('reservations are filtered by facility and state', () => {
  assert.deepEqual(reservationFilters({ facility_id: '12', status: 'pending' }), {
    facility: '12',
    status: 'pending',
  });
});

for (const query of [
  { mine: '' },
  { mine: 'TRUE' },
  { mine: ['true', 'true'] },
  { city: '' },
  { city: 'c'.repeat(101) },
  { city: 'c\0' },
  { q: '' },
  { q: 'q'.repeat(51) },
  { q: '\0' },
]) {
  test(`clubs by ${JSON.stringify(query)} are malformed`, () => {
    assert.throws(() => clubFilters(query, ACCOUNT), { code: 'malformed' });
  });
}

for (const query of [
  { available: 'true' },
  { available: 'yes', at: AT },
  { at: '2040-03-10' },
  { at: '' },
  { sport: 'chess' },
  { sport: '' },
  { club_id: '0' },
  { club_id: '12345678901234567' },
  { city: '' },
]) {
  test(`facilities by ${JSON.stringify(query)} are malformed`, () => {
    assert.throws(() => facilityFilters(query), { code: 'malformed' });
  });
}

for (const query of [{ facility_id: '01' }, { facility_id: 'x' }, { status: 'new' }]) {
  test(`reservations by ${JSON.stringify(query)} are malformed`, () => {
    assert.throws(() => reservationFilters(query), { code: 'malformed' });
  });
}

test('a day is one of the calendar', () => {
  const midnight = Date.parse('2040-02-29T00:00:00Z') / 1000;
  assert.deepEqual(dayOf({ date: '2040-02-29' }), { date: '2040-02-29', midnight });
  for (const date of [undefined, '', '2041-02-29', '2019-12-31', '2100-01-01', ['2040-02-29']]) {
    assert.throws(() => dayOf({ date }), { code: 'malformed' });
  }
});
