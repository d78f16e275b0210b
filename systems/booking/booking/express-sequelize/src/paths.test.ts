import assert from 'node:assert/strict';
import { test } from 'node:test';

import { methodsOf } from './paths.js';

test('a path has its methods, whatever the query', () => {
  assert.deepEqual(methodsOf('/clubs'), ['GET', 'POST']);
  assert.deepEqual(methodsOf('/clubs?limit=1'), ['GET', 'POST']);
  assert.deepEqual(methodsOf('/clubs/1'), ['GET', 'PUT']);
  assert.deepEqual(methodsOf('/clubs/9999999999999999/facilities'), ['POST']);
  assert.deepEqual(methodsOf('/facilities/12?a'), ['GET', 'PUT', 'DELETE']);
  assert.deepEqual(methodsOf('/reservations/7/rating'), ['PUT']);
  assert.deepEqual(methodsOf('/accounts/me'), ['GET']);
});

for (const target of [
  '/',
  '*',
  '//clubs',
  '/Clubs',
  '/clubs/',
  '/clubs/1/',
  '/clubs/0',
  '/clubs/01',
  '/clubs/x',
  '/clubs/%31',
  '/clubs/12345678901234567',
  '/clubs/1/slots',
  '/clubs/1/facilities/',
  '/accounts/1',
  '/reservations/1/Accept',
  '/reservations/1/constructor',
  '/healthz/',
]) {
  test(`${target} is no path`, () => {
    assert.equal(methodsOf(target), undefined);
  });
}
