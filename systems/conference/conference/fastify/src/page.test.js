import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nextLink, readPage } from './page.js';

test('a page begins before all ids where nothing else is said', () => {
  assert.equal(readPage({}), undefined);
  assert.deepEqual(readPage({ limit: '1' }), { limit: 1, after: '' });
  assert.deepEqual(readPage({ limit: '1000', after: 'a' }), { limit: 1000, after: 'a' });
});

for (const query of [
  { limit: '' },
  { limit: '0' },
  { limit: '1001' },
  { limit: '-1' },
  { limit: '01' },
  { limit: '1.0' },
  { limit: '1\n' },
  { limit: 'x' },
  { after: 'a' },
  { limit: '1', after: '' },
  { limit: '1', after: "a'" },
]) {
  test(`${JSON.stringify(query)} is no page`, () => {
    assert.throws(() => readPage(query), { code: 'malformed', message: /^The limit must be/ });
  });
}

test('the next page begins after the last id', () => {
  assert.equal(
    nextLink('/conferences', { limit: 7 }, 'a~1'),
    '</conferences?limit=7&after=a~1>; rel="next"',
  );
});
