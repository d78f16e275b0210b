import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Breaker } from './breaker.js';

const OPEN_MS = 5_000;

/** A breaker at a clock that stands, and a function that makes attempts of it. */
function breakerAt(clock) {
  const breaker = new Breaker(() => clock.now);
  const attempt = (isFailed, times = 1) => {
    for (let count = 0; count < times; count += 1) {
      assert.ok(breaker.admits());
      breaker.record(isFailed);
    }
  };
  return { breaker, attempt };
}

function openBreaker(clock) {
  const { breaker, attempt } = breakerAt(clock);
  attempt(true, 10);
  return { breaker, attempt };
}

test('ten of the last twenty open it', () => {
  const { breaker, attempt } = breakerAt({ now: 0 });
  attempt(true, 9);
  attempt(false, 11);
  attempt(true, 9); // the first nine are not among the last twenty any more
  assert.ok(breaker.admits());
  breaker.record(true);
  assert.ok(!breaker.admits());
});

test('after its time one attempt decides', () => {
  const clock = { now: 0 };
  const { breaker, attempt } = openBreaker(clock);
  clock.now = OPEN_MS - 1;
  assert.ok(!breaker.admits());
  clock.now = OPEN_MS;
  assert.ok(breaker.admits());
  assert.ok(!breaker.admits());
  breaker.record(false);
  attempt(true, 9);
  assert.ok(breaker.admits());
});

test('one that fails then keeps it open for as long again', () => {
  const clock = { now: OPEN_MS };
  const { breaker } = openBreaker({ now: 0 });
  assert.ok(!breaker.admits());
  const { breaker: second, attempt } = openBreaker(clock);
  clock.now = 2 * OPEN_MS;
  attempt(true);
  clock.now = 3 * OPEN_MS - 1;
  assert.ok(!second.admits());
  clock.now = 3 * OPEN_MS;
  assert.ok(second.admits());
});

test('an attempt that was given up lets another one try', () => {
  const clock = { now: 0 };
  const { breaker } = openBreaker(clock);
  clock.now = OPEN_MS;
  assert.ok(breaker.admits());
  breaker.giveUp();
  assert.ok(breaker.admits());
});

test('attempts that began before it opened tell nothing', () => {
  const { breaker } = openBreaker({ now: 0 });
  breaker.record(false);
  assert.ok(!breaker.admits());
});
