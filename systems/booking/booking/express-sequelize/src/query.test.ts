import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseQuery, readFlag, readId, readText, readTime, readWord } from './query.js';

const ASTRAL = '\u{1F600}';

test('a query is decoded strictly', () => {
  assert.deepEqual({ ...parseQuery('q=a+b%C3%84&x') }, { q: 'a bÄ', x: '' });
  assert.deepEqual({ ...parseQuery(null) }, {});
  for (const text of ['q=%', 'q=%zz', 'q=%C3', 'q=%ED%A0%80']) {
    assert.throws(() => parseQuery(text), { code: 'malformed' }, text);
  }
});

test('what is missing is nothing', () => {
  assert.equal(readText({}, 'city', 5), undefined);
  assert.equal(readWord({}, 'sport', ['tennis']), undefined);
  assert.equal(readId({}, 'club_id'), undefined);
  assert.equal(readTime({}, 'at'), undefined);
  assert.equal(readFlag({}, 'mine'), false);
});

test('values are read', () => {
  assert.equal(readText({ city: ASTRAL.repeat(5) }, 'city', 5), ASTRAL.repeat(5));
  assert.equal(readWord({ sport: 'tennis' }, 'sport', ['tennis']), 'tennis');
  assert.equal(readId({ club_id: '12' }, 'club_id'), 12);
  assert.equal(readTime({ at: '1970-01-01T00:00:07Z' }, 'at')?.seconds, 7);
  assert.equal(readFlag({ mine: 'true' }, 'mine'), true);
  assert.equal(readFlag({ mine: 'false' }, 'mine'), false);
});

for (const value of ['', 'abcdef', ASTRAL.repeat(6), 'a\0', ['a', 'b']]) {
  test(`${JSON.stringify(value)} is no text of 1 to 5`, () => {
    assert.throws(() => readText({ city: value }, 'city', 5), { code: 'malformed' });
  });
}

test('what is none of the values is refused', () => {
  assert.throws(() => readWord({ sport: 'Tennis' }, 'sport', ['tennis']), { code: 'malformed' });
  assert.throws(() => readFlag({ mine: '' }, 'mine'), { code: 'malformed' });
  assert.throws(() => readId({ club_id: '01' }, 'club_id'), { code: 'malformed' });
  assert.throws(() => readTime({ at: '2040-03-01' }, 'at'), { code: 'malformed' });
});
