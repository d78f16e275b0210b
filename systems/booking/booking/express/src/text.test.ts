import assert from 'node:assert/strict';
import { test } from 'node:test';

import { codePoints, isPlain } from './text.js';

test('code points are counted, not units', () => {
  assert.equal(codePoints(''), 0);
  assert.equal(codePoints('aÄ中'), 3);
  assert.equal(codePoints('\u{1F600}\u{1F600}'), 2);
  assert.equal(codePoints('e\u0301'), 2);
});

test('a text that cannot be kept is not plain', () => {
  assert.ok(isPlain('a\u0001\uffff\u{1F600}'));
  for (const text of ['\0', 'a\0b', '\ud800', '\udc00a']) assert.ok(!isPlain(text));
});
