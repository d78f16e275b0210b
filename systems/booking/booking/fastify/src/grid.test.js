import assert from 'node:assert/strict';
import { test } from 'node:test';

import { faultOfStart, minuteOfDay, slotsOfDay } from './grid.js';
import { readDay, readInstant } from './instant.js';

const FACILITY = { opens: 360, closes: 1320, slot_minutes: 60, retired: false };
const ALL_DAY = { opens: 0, closes: 1440, slot_minutes: 90 };

const fault = (time, slots = 1, facility = FACILITY) =>
  faultOfStart(readInstant(`2040-03-01T${time}Z`), slots, facility);

for (const [time, slots, code] of [
  ['06:00:00', 1, undefined],
  ['21:00:00', 1, undefined],
  ['18:00:00', 4, undefined],
  ['05:00:00', 1, 'outside-hours'],
  ['05:59:59.9', 1, 'outside-hours'],
  ['22:00:00', 1, 'outside-hours'],
  ['21:00:00.1', 1, 'outside-hours'],
  ['21:30:00', 1, 'outside-hours'],
  ['19:00:00', 4, 'outside-hours'],
  ['06:30:00', 1, 'not-aligned'],
  ['06:00:01', 1, 'not-aligned'],
  ['06:00:00.001', 1, 'not-aligned'],
]) {
  test(`${slots} slots at ${time} are ${code}`, () => assert.equal(fault(time, slots), code));
}

test('a day ends at midnight', () => {
  assert.equal(fault('22:30:00', 1, ALL_DAY), undefined);
  assert.equal(fault('22:30:00', 2, ALL_DAY), 'outside-hours');
});

test('an instant with seconds is in no minute', () => {
  assert.equal(minuteOfDay(readInstant('2040-03-01T06:01:00Z')), 361);
  assert.equal(minuteOfDay(readInstant('1960-03-01T06:01:00.0Z')), 361);
  assert.equal(minuteOfDay(readInstant('2040-03-01T06:01:01Z')), -1);
  assert.equal(minuteOfDay(readInstant('2040-03-01T06:01:00.5Z')), -1);
});

test('a slot is free where no reservation is in it', () => {
  const facility = { opens: 1350, closes: 1440, slot_minutes: 30 };
  const taken = [{ starts_at: '2040-03-01T22:45:00Z', ends_at: '2040-03-01T23:30:00Z' }];
  assert.deepEqual(slotsOfDay({ ...facility, retired: false }, readDay('2040-03-01'), taken), [
    { starts_at: '2040-03-01T22:30:00Z', ends_at: '2040-03-01T23:00:00Z', available: false },
    { starts_at: '2040-03-01T23:00:00Z', ends_at: '2040-03-01T23:30:00Z', available: false },
    { starts_at: '2040-03-01T23:30:00Z', ends_at: '2040-03-02T00:00:00Z', available: true },
  ]);
});

test('a facility that is retired has no free slot', () => {
  const slots = slotsOfDay({ ...FACILITY, retired: true }, readDay('2040-03-01'), []);
  assert.equal(slots.length, 16);
  assert.ok(slots.every(({ available }) => !available));
});
