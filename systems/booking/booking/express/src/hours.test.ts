import assert from 'node:assert/strict';
import { test } from 'node:test';

import { faultOfStart, minuteOfDay, slotsOf } from './hours.js';
import { type Instant, readDay, readInstant } from './instant.js';

const HOURS = { opens: 360, closes: 1320, slot_minutes: 60 };

function at(time: string): Instant {
  const instant = readInstant(`2040-03-01T${time}Z`);
  assert.ok(instant);
  return instant;
}

for (const [time, slots, fault] of [
  ['06:00:00', 1, undefined],
  ['21:00:00', 1, undefined],
  ['18:00:00', 4, undefined],
  ['05:00:00', 1, 'outside-hours'],
  ['05:59:59', 1, 'outside-hours'],
  ['22:00:00', 1, 'outside-hours'],
  ['21:00:00', 2, 'outside-hours'],
  ['21:00:00.5', 1, 'outside-hours'],
  ['06:30:00', 1, 'not-aligned'],
  ['06:00:01', 1, 'not-aligned'],
  ['06:00:00.001', 1, 'not-aligned'],
] as const) {
  test(`${slots} slots from ${time} are ${fault ?? 'well'}`, () => {
    assert.equal(faultOfStart(HOURS, at(time), slots), fault);
  });
}

test('nothing goes over midnight', () => {
  const all = { opens: 0, closes: 1440, slot_minutes: 90 };
  assert.equal(faultOfStart(all, at('22:30:00'), 1), undefined);
  assert.equal(faultOfStart(all, at('22:30:00'), 2), 'outside-hours');
});

test('a minute of the day has no seconds', () => {
  assert.equal(minuteOfDay(at('06:01:00')), 361);
  assert.equal(minuteOfDay(at('06:01:01')), -1);
  assert.equal(minuteOfDay(at('06:01:00.5')), -1);
});

test('slots fill the hours, and are taken where a reservation is in them', () => {
  const midnight = readDay('2040-03-01') ?? 0;
  const day = { opens: 1260, closes: 1440, slot_minutes: 60 };
  const taken = [
    { starts_at: new Date('2040-03-01T22:00:00Z'), ends_at: new Date('2040-03-01T23:00:00Z') },
  ];
  const slots = slotsOf(day, midnight, taken, false);
  assert.deepEqual(
    slots.map(({ starts_at, available }) => `${starts_at} ${available}`),
    ['2040-03-01T21:00:00Z true', '2040-03-01T22:00:00Z false', '2040-03-01T23:00:00Z true'],
  );
  assert.equal(slots[2]?.ends_at, '2040-03-02T00:00:00Z');
  assert.ok(slotsOf(day, midnight, [], true).every(({ available }) => !available));
});
