import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pageOf, readPage } from './page.js';

test('a page begins before all ids where nothing else is said', () => {
  assert.deepEqual(readPage({}), { limit: 20, after: undefined });
  assert.deepEqual(readPage({ limit: '100' }), { limit: 100, after: undefined });
  assert.deepEqual(readPage({ limit: '1', cursor: 'MTI' }), { limit: 1, after: '12' });
});

for (const query of [
  { limit: '' },
  { limit: '0' },
  { limit: '101' },
  { limit: '-1' },
  { limit: '05' },
  { limit: '1.0' },
  { limit: '1\n' },
  { limit: 'x' },
  { limit: ['1', '2'] },
  { cursor: '' },
  { cursor: 'MTI=' },
  { cursor: 'MTJ' },
  { cursor: 'MTI\n' },
  { cursor: 'MA' },
  { cursor: 'LTE' },
  { cursor: 'x' },
  { cursor: '12' },
  { cursor: ['MTI', 'MTI'] },
  { cursor: Buffer.from('12345678901234567').toString('base64url') },
]) {
  test(`${JSON.stringify(query)} is no page`, () => {
    assert.throws(() => readPage(query), { code: 'malformed' });
  });
}

test('there is a next page where there are more rows', () => {
  const rows = [{ id: 3 }, { id: 12 }, { id: 13 }];
  assert.deepEqual(pageOf(rows, 3), { items: rows, next_cursor: null });
  const page = pageOf(rows, 2);
  assert.deepEqual(page, { items: rows.slice(0, 2), next_cursor: 'MTI' });
  assert.equal(readPage({ cursor: page.next_cursor }).after, '12');
});

test('another member may be the id', () => {
  assert.equal(pageOf([{ reservation_id: 12 }, {}], 1, 'reservation_id').next_cursor, 'MTI');
});
