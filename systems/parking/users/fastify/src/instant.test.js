import assert from 'node:assert/strict';
import { test } from 'node:test';

import { showSeconds, showTimestamp } from './instant.js';

for (const [text, shown] of [
  ['2026-01-31 08:05:09.120999+00', '2026-01-31T08:05:09.120Z'],
  ['2025-12-31 23:59:59.999999+00', '2025-12-31T23:59:59.999Z'],
  ['2024-02-29 00:00:00+00', '2024-02-29T00:00:00.000Z'],
  ['2026-07-01 00:03:04.5+00', '2026-07-01T00:03:04.500Z'],
  ['1999-03-28 02:30:00.000001+00', '1999-03-28T02:30:00.000Z'],
]) {
  test(`${text} is shown as ${shown}`, () => assert.equal(showTimestamp(text), shown));
}

test('seconds are shown with all 24 characters', () => {
  assert.equal(showSeconds(4_102_444_800), '2100-01-01T00:00:00.000Z');
});
