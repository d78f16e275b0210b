import assert from 'node:assert/strict';
import { test } from 'node:test';

import { methodsOf, toRoute } from './paths.js';

test('a path has its methods', () => {
  assert.deepEqual(methodsOf('/users'), ['GET', 'POST']);
  assert.deepEqual(methodsOf('/users/login'), ['POST']);
  assert.deepEqual(methodsOf('/users/1234567890123456'), ['GET']);
  assert.deepEqual(methodsOf('/users/5/status'), ['PUT']);
  assert.deepEqual(methodsOf('/users/5/payment-method'), ['GET', 'PUT']);
  assert.deepEqual(methodsOf('/users/5/vehicles/LA-00003'), ['PUT']);
  assert.deepEqual(methodsOf('/internal/coins/debits'), ['POST']);
});

for (const path of [
  '',
  '/',
  '*',
  '/Users',
  '/users/',
  '/users/0',
  '/users/01',
  '/users/x',
  '/users/%31',
  '/users/5\n',
  '/users/12345678901234567',
  '/users/5/',
  '/users/5/nothing',
  '/users/5/LA-00003',
  '/users/5/status/LA-00003',
  '/users/5/vehicles/la-00003',
  '/users/5/vehicles/LA-000030',
  '/users/5/vehicles/LA-00003/x',
  '//users',
  '/health/',
  'http://127.0.0.1/users',
]) {
  test(`${JSON.stringify(path)} is no path`, () => assert.equal(methodsOf(path), undefined));
}

test('Fastify looks for known paths and methods alone', () => {
  const routeOf = (method, url) => {
    const raw = { method, url };
    return [toRoute(raw), raw.method, raw.allowed?.join()];
  };
  assert.deepEqual(routeOf('GET', '/users?a=%'), ['/users', 'GET', 'GET,POST']);
  assert.deepEqual(routeOf('GET', '/users/%'), ['/', 'GET', undefined]);
  assert.deepEqual(routeOf('ODD', '/users'), ['/users', 'TRACE', 'GET,POST']);
});
