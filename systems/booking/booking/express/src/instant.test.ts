import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dateOf, isInRange, readDay, readInstant, secondOfDay, showSeconds } from './instant.js';

function shown(text: string): string | undefined {
  const instant = readInstant(text);
  return instant && showSeconds(instant.seconds);
}

for (const [text, expected] of [
  ['2040-03-01T06:00:00Z', '2040-03-01T06:00:00Z'],
  ['2040-03-01T08:00:00+02:00', '2040-03-01T06:00:00Z'],
  ['2040-02-29T23:30:00-06:30', '2040-03-01T06:00:00Z'],
  ['2040-03-01T06:00:00-00:00', '2040-03-01T06:00:00Z'],
  ['2040-03-01T06:00:00.999Z', '2040-03-01T06:00:00Z'],
  ['2039-12-31T23:59:59-23:59', '2040-01-01T23:58:59Z'],
] as const) {
  test(`${text} is ${expected}`, () => {
    assert.equal(shown(text), expected);
  });
}

for (const text of [
  '',
  '2040-03-01',
  '2040-03-01T06:00Z',
  '2040-03-01T06:00:00',
  '2040-03-01t06:00:00Z',
  '2040-03-01T06:00:00z',
  '2040-03-01 06:00:00Z',
  '2040-03-01T06:00:00.Z',
  '2040-03-01T24:00:00Z',
  '2040-03-01T06:60:00Z',
  '2040-03-01T06:00:60Z',
  '2040-03-01T06:00:00+24:00',
  '2040-03-01T06:00:00+01:60',
  '2040-03-01T06:00:00+0100',
  '2040-02-30T06:00:00Z',
  '2041-02-29T06:00:00Z',
  '2040-00-01T06:00:00Z',
  '2040-13-01T06:00:00Z',
  '2040-03-00T06:00:00Z',
  '20400-03-01T06:00:00Z',
  '2040-03-01T06:00:00Z\n',
  ' 2040-03-01T06:00:00Z',
]) {
  test(`${JSON.stringify(text)} is no instant`, () => {
    assert.equal(readInstant(text), undefined);
  });
}

test('a fraction is told where it is one', () => {
  assert.equal(readInstant('2040-03-01T06:00:00.000Z')?.hasFraction, false);
  assert.equal(readInstant('2040-03-01T06:00:00.0000001Z')?.hasFraction, true);
});

test('years below 100 are years, too', () => {
  assert.equal(shown('0040-03-01T06:00:00Z'), '0040-03-01T06:00:00Z');
});

test('the second of a day is that in UTC', () => {
  const second = (text: string) => {
    const instant = readInstant(text);
    return instant && secondOfDay(instant);
  };
  assert.equal(second('2040-03-01T00:00:00Z'), 0);
  assert.equal(second('1969-12-31T23:59:59Z'), 86_399);
  assert.equal(second('2040-03-01T01:00:00.5+02:00'), 82_800.5);
});

test('years are those in UTC', () => {
  const inRange = (text: string) => {
    const instant = readInstant(text);
    return instant && isInRange(instant.seconds);
  };
  assert.equal(inRange('2020-01-01T00:00:00Z'), true);
  assert.equal(inRange('2019-12-31T23:59:59Z'), false);
  assert.equal(inRange('2019-12-31T23:30:00-01:00'), true);
  assert.equal(inRange('2099-12-31T23:30:00-01:00'), false);
});

test('a day is one of the calendar', () => {
  assert.equal(readDay('2040-03-01'), dateOf(2_214_172_800).getTime() / 1000);
  for (const text of ['', '2040-3-1', '2040-02-30', '2019-12-31', '2100-01-01', '2040-03-01T']) {
    assert.equal(readDay(text), undefined, text);
  }
});
