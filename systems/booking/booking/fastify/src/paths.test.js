import assert from 'node:assert/strict';
import { test } from 'node:test';

import { methodsOf } from './paths.js';

test('a path has its methods, whatever the query', () => {
  assert.deepEqual(methodsOf('/clubs'), ['GET', 'POST']);
  assert.deepEqual(methodsOf('/clubs?limit=1'), ['GET', 'POST']);
  assert.deepEqual(methodsOf('/facilities/1?d'), ['GET', 'PUT', 'DELETE']);
  assert.deepEqual(methodsOf('/reservations/1234567890123456/rating'), ['PUT']);
  assert.deepEqual(methodsOf('/accounts/me'), ['GET']);
});

for (const target of [
  '/',
  '*',
  '/Clubs',
  '/clubs/',
  '/clubs/0',
  '/clubs/01',
  '/clubs/x',
  '/clubs/%31',
  '/clubs/1/',
  '/clubs/1/slots',
  '/clubs/facilities',
  '/clubs/1/facilities/1',
  '/clubs/12345678901234567',
  '/accounts/1',
  '/healthz/',
]) {
  test(`${target} is no path`, () => assert.equal(methodsOf(target), undefined));
}
