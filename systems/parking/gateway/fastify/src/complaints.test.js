import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Complaints } from './complaints.js';

test('there is one complaint a second at most', () => {
  const lines = [];
  let now = 0;
  const complaints = new Complaints(
    (line) => lines.push(line),
    () => now,
  );
  for (const time of [0, 1, 999, 1000, 1001, 5000]) {
    now = time;
    complaints.say(String(time));
  }
  assert.deepEqual(lines, ['0', '1000', '5000']);
});
