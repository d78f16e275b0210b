import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readPage, showPage } from './page.js';

const idOf = ({ id }: { id: number }) => id;
const show = ({ id }: { id: number }) => id;

test('a page has 20 rows from the first on where nothing else is said', () => {
  assert.deepEqual(readPage({}), { limit: 20, cursor: undefined });
  assert.deepEqual(readPage({ limit: '100', cursor: 'MTA' }), { limit: 100, cursor: '10' });
});

for (const query of [
  { limit: '' },
  { limit: '0' },
  { limit: '101' },
  { limit: '-1' },
  { limit: '05' },
  { limit: '1\n' },
  { limit: 'x' },
  { limit: ['1', '2'] },
  { cursor: '' },
  { cursor: 'MA' }, // 0
  { cursor: 'MDE' }, // 01
  { cursor: 'MTA=' },
  { cursor: 'MTB' }, // the bits of no use are set
  { cursor: 'eA' }, // x
  { cursor: '!' },
  { cursor: 'MTIzNDU2Nzg5MDEyMzQ1Njc' }, // 17 digits
]) {
  test(`${JSON.stringify(query)} is no page`, () => {
    assert.throws(() => readPage(query), { code: 'malformed' });
  });
}

test('the next page begins behind the last row that is shown', () => {
  const rows = [{ id: 9 }, { id: 10 }, { id: 11 }];
  const page = { limit: 2, cursor: undefined };
  assert.deepEqual(showPage(rows, page, idOf, show), { items: [9, 10], next_cursor: 'MTA' });
});

test('the last page has no next one', () => {
  const page = { limit: 2, cursor: undefined };
  assert.deepEqual(showPage([{ id: 9 }, { id: 10 }], page, idOf, show), {
    items: [9, 10],
    next_cursor: null,
  });
  assert.deepEqual(showPage([], page, idOf, show), { items: [], next_cursor: null });
});
