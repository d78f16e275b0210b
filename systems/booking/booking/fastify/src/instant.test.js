import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isAllowed, readDay, readInstant, secondOfDay, showInstant } from './instant.js';

const shown = (text) => showInstant(readInstant(text).seconds);

for (const [text, instant] of [
  ['2040-03-01T06:00:00Z', '2040-03-01T06:00:00Z'],
  ['2040-03-01T08:00:00+02:00', '2040-03-01T06:00:00Z'],
  ['2040-03-01T00:30:00-05:45', '2040-03-01T06:15:00Z'],
  ['2040-01-01T00:00:00+23:59', '2039-12-31T00:01:00Z'],
  ['2040-02-29T23:59:59-00:00', '2040-02-29T23:59:59Z'],
  ['2040-03-01T06:00:00.999Z', '2040-03-01T06:00:00Z'],
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00Z'],
]) {
  test(`${text} is ${instant}`, () => assert.equal(shown(text), instant));
}

test('a fraction is kept', () => {
  assert.equal(readInstant('2040-03-01T06:00:00.25Z').fraction, 0.25);
  assert.equal(readInstant('2040-03-01T06:00:00.000Z').fraction, 0);
  assert.ok(readInstant('2040-03-01T06:00:00.0000001Z').fraction > 0);
});

for (const text of [
  '',
  '2040-03-01',
  '2040-03-01T06:00Z',
  '2040-03-01T06:00:00',
  '2040-03-01 06:00:00Z',
  '2040-03-01t06:00:00Z',
  '2040-03-01T06:00:00z',
  '2040-03-01T06:00:00.Z',
  '2040-03-01T06:00:00,5Z',
  '2040-03-01T06:00:00Z\n',
  ' 2040-03-01T06:00:00Z',
  '2040-03-01T24:00:00Z',
  '2040-03-01T06:60:00Z',
  '2040-03-01T06:00:60Z',
  '2040-03-01T06:00:00+24:00',
  '2040-03-01T06:00:00+02:60',
  '2040-03-01T06:00:00+0200',
  '2040-02-30T06:00:00Z',
  '2041-02-29T06:00:00Z',
  '2040-00-01T06:00:00Z',
  '2040-13-01T06:00:00Z',
  '2040-03-00T06:00:00Z',
  '2040-04-31T06:00:00Z',
  '12040-03-01T06:00:00Z',
  '-2040-03-01T06:00:00Z',
  '٢٠٤٠-03-01T06:00:00Z',
]) {
  test(`${JSON.stringify(text)} is no instant`, () => assert.equal(readInstant(text), undefined));
}

test('a day begins at its midnight', () => {
  assert.equal(showInstant(readDay('2040-02-29')), '2040-02-29T00:00:00Z');
  for (const text of ['', '2041-02-29', '2040-2-29', '2040-02-29T00:00:00Z', '2040-02-29\n']) {
    assert.equal(readDay(text), undefined);
  }
});

test('the years are those of UTC', () => {
  const allowed = (text) => isAllowed(readInstant(text).seconds);
  assert.ok(allowed('2020-01-01T00:00:00Z'));
  assert.ok(allowed('2019-12-31T23:00:00-01:00'));
  assert.ok(!allowed('2020-01-01T00:00:00+01:00'));
  assert.ok(allowed('2099-12-31T23:59:59.9Z'));
  assert.ok(!allowed('2099-12-31T23:59:59-00:01'));
});

test('a second of the day counts from midnight, before 1970 too', () => {
  assert.equal(secondOfDay(readInstant('2040-03-01T00:01:01Z').seconds), 61);
  assert.equal(secondOfDay(readInstant('1960-03-01T00:01:01Z').seconds), 61);
});
