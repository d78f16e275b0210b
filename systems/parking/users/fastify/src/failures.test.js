import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hasGivenWay, lineOf, problemOf, unavailable } from './failures.js';
import { Problem } from './problem.js';

const told = (code, constraint) => ({
  severity: 'ERROR',
  code,
  constraint,
  message: 'Key (email)=(a@b) already exists.',
});

for (const [code, constraint, problem] of [
  ['23505', 'app_user_email_key', 'duplicate-email'],
  ['23505', 'app_user_nif_key', 'duplicate-nif'],
  ['23505', 'vehicle_pkey', 'duplicate-plate'],
  ['23505', 'coin_event_reference_key', 'idempotency-mismatch'],
  ['23505', 'toString', 'internal'],
  ['23514', 'app_user_coins_check', 'coins'],
  ['22003', undefined, 'coins'],
  ['40001', undefined, 'unavailable'],
  ['53300', undefined, 'unavailable'],
  ['55P03', undefined, 'unavailable'],
  ['57014', undefined, 'unavailable'],
  ['57P05', undefined, 'unavailable'],
  ['08006', undefined, 'unavailable'],
  ['42P01', undefined, 'internal'],
]) {
  test(`${code} of ${constraint} is ${problem}`, () => {
    assert.equal(problemOf(told(code, constraint)).code, problem);
  });
}

test('what gave way is told apart', () => {
  assert.ok(hasGivenWay(problemOf(told('40P01'))));
  assert.ok(!hasGivenWay(problemOf(told('55P03'))));
  assert.ok(!hasGivenWay(new Problem('not-found')));
});

test('a line has the state, and no text of the server', () => {
  assert.equal(lineOf(problemOf(told('42P01'))), 'internal: SQLSTATE 42P01');
  assert.equal(lineOf(unavailable(new Error('refused'))), 'unavailable: refused');
  assert.equal(lineOf(new Problem('forbidden')), 'forbidden');
});
