import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Listing } from './listing.js';

const listing = new Listing({
  name: 'things',
  head: ({ city }) => `SELECT id FROM thing${city === undefined ? '' : ' JOIN c'} WHERE id > $1`,
  conditions: {
    owner: (n) => `owner_id = ${n}`,
    city: (n) => `city = ${n}`,
  },
  order: 'id',
});

test('without conditions there is only the head', () => {
  assert.deepEqual(listing.query([0], { owner: undefined }, 21), {
    statement: { name: 'things', text: 'SELECT id FROM thing WHERE id > $1 ORDER BY id LIMIT $2' },
    values: [0, 21],
  });
});

test('each condition that is given has its placeholder', () => {
  assert.deepEqual(listing.query([0], { city: 'c', owner: 7 }, 21), {
    statement: {
      name: 'things owner city',
      text: 'SELECT id FROM thing JOIN c WHERE id > $1 AND owner_id = $2 AND city = $3 ORDER BY id LIMIT $4',
    },
    values: [0, 7, 'c', 21],
  });
  assert.deepEqual(listing.query([0], { city: 'c' }, 21).values, [0, 'c', 21]);
});

test('a combination is made once', () => {
  const { statement } = listing.query([0], { city: 'c' }, 21);
  assert.equal(listing.query([1], { city: 'd' }, 22).statement, statement);
});
