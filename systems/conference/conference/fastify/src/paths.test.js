import assert from 'node:assert/strict';
import { test } from 'node:test';

import { methodsOf } from './paths.js';

test('a path has its methods, whatever the query', () => {
  assert.deepEqual(methodsOf('/conferences'), ['GET', 'POST']);
  assert.deepEqual(methodsOf('/conferences?limit=1'), ['GET', 'POST']);
  assert.deepEqual(methodsOf('/conferences/a.b~c?d'), ['GET', 'PUT', 'DELETE']);
  assert.deepEqual(methodsOf('/healthz'), ['GET']);
});

for (const target of [
  '/',
  '/Conferences',
  '/conferences/',
  '/conferences/a/',
  '/conferences/-a',
  '/conferences/%41',
  `/conferences/${'a'.repeat(65)}`,
  '/healthz/',
  '*',
]) {
  test(`${target} is no path`, () => assert.equal(methodsOf(target), undefined));
}
