import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Instances } from './instances.js';

/** Instances of origins, of which `closed` has those whose clients were closed, and `clock` the time. */
function instancesOf(...origins) {
  const closed = [];
  const clock = { now: 0 };
  const open = (origin) => ({ close: () => closed.push(origin) });
  const instances = new Instances(open, () => clock.now);
  instances.replace(origins);
  const nextOf = (tried = []) => instances.next(tried)?.origin;
  return { instances, nextOf, closed, clock };
}

test('each request takes the next one in turn', () => {
  const { nextOf } = instancesOf('a', 'b', 'b', 'c');
  assert.deepEqual(
    Array.from({ length: 7 }, () => nextOf()),
    ['a', 'b', 'c', 'a', 'b', 'c', 'a'],
  );
});

test('one that failed is left out for 2 s, and one that was tried is not tried again', () => {
  const { instances, nextOf, clock } = instancesOf('a', 'b');
  const first = instances.next([]);
  instances.leaveOut(first);
  assert.deepEqual([nextOf(), nextOf(), nextOf([first])], ['b', 'b', 'b']);
  instances.leaveOut(instances.next([]));
  assert.equal(nextOf(), undefined);
  clock.now = 1_999;
  assert.equal(nextOf(), undefined);
  clock.now = 2_000;
  assert.equal(nextOf([first]), 'b');
  assert.equal(nextOf(), 'a');
});

test('what is known of those that stay is kept, and the clients of others are closed', () => {
  const { instances, nextOf, closed } = instancesOf('a', 'b');
  instances.leaveOut(instances.next([]));
  instances.replace(['c', 'a']);
  assert.deepEqual(closed, ['b']);
  assert.deepEqual([nextOf(), nextOf()], ['c', 'c']);
  instances.replace([]);
  assert.equal(nextOf(), undefined);
  assert.deepEqual(closed, ['b', 'c', 'a']);
});
