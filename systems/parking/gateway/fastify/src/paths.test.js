import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hasDotSegment, isOfUsers, isOpen, toRoute } from './paths.js';

test('segments that are dots are found, however they are written', () => {
  for (const path of [
    ...['/users/..', '/users/.', '/users/../internal', '/users/%2e', '/users/%2E./x', '/./users'],
    ...['/users/a%2f..%2fb', '/users/..%5Cinternal', '/users\\..\\internal', '/users//../x'],
  ]) {
    assert.equal(hasDotSegment(path), true, path);
  }
  for (const path of [
    ...['/users', '/users/..a', '/users/a..b/...', '/users/%252e%252e/x', '/users/.well-known'],
    ...['/users/%2e%2ea', '/users/a%2Fb', ''],
  ]) {
    assert.equal(hasDotSegment(path), false, path);
  }
});

test('the first segment is users to the letter', () => {
  for (const path of ['/users', '/users/', '/users//5', '/users/5']) {
    assert.equal(isOfUsers(path), true, path);
  }
  for (const path of ['/usersx', '/Users', '//users', '/%75sers', '/users;a', 'users', '/', '*']) {
    assert.equal(isOfUsers(path), false, path);
  }
});

test('two requests need no token', () => {
  assert.equal(isOpen({ method: 'POST', path: '/users' }), true);
  assert.equal(isOpen({ method: 'POST', path: '/users/login' }), true);
  assert.equal(isOpen({ method: 'GET', path: '/users' }), false);
  assert.equal(isOpen({ method: 'POST', path: '/users/' }), false);
});

test('Fastify looks for two paths and the usual methods, and what was sent is kept', () => {
  const raw = { method: 'PROPFIND', url: '/users/%zz?a=?' };
  assert.equal(toRoute(raw), '/users');
  assert.deepEqual(raw.sent, { method: 'PROPFIND', path: '/users/%zz', target: '/users/%zz?a=?' });
  assert.equal(raw.method, 'TRACE');
  assert.equal(toRoute({ method: 'GET', url: '/health?' }), '/health');
  assert.equal(toRoute({ method: 'GET', url: '/health/' }), '/users');
});
