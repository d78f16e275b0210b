import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isEnd, isUnavailable, withoutRivals } from './sqlstate.js';

class DatabaseError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`error ${code}`);
    this.code = code;
  }
}

test('a connection is given up where the server ends it', () => {
  for (const code of ['57P01', '57P05', '08006', '08P01']) assert.ok(isEnd(code), code);
  for (const code of ['57014', '53300', '57P06', '40001']) assert.ok(!isEnd(code), code);
});

test('the database is not available by these codes alone', () => {
  for (const code of ['53300', '55P03', '57014', '57P03', '08000']) {
    assert.ok(isUnavailable(code), code);
  }
  for (const code of ['57000', '53200', '23505', '40001', '42P01']) {
    assert.ok(!isUnavailable(code), code);
  }
});

/** Work that fails with the codes in turn, and then is done. */
function failing(...codes: string[]) {
  return () => {
    const code = codes.shift();
    return code === undefined ? Promise.resolve('done') : Promise.reject(new DatabaseError(code));
  };
}

test('what a rival ended is done once more', async () => {
  assert.equal(await withoutRivals(failing('40P01')), 'done');
  assert.equal(await withoutRivals(failing('40001')), 'done');
  await assert.rejects(withoutRivals(failing('40P01', '40P01')), { code: 'unavailable' });
});

test('nothing else is done again', async () => {
  await assert.rejects(withoutRivals(failing('23505')), { code: '23505' });
  await assert.rejects(withoutRivals(failing('40001', '42P01')), { code: '42P01' });
});
