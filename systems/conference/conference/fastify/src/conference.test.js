import assert from 'node:assert/strict';
import { test } from 'node:test';

import { newConference, newName } from './conference.js';

const ASTRAL = '\u{1F600}';

/** The faults of what a function refuses, as `pointer code`. */
function faultsOf(work) {
  try {
    work();
  } catch ({ code, faults }) {
    assert.equal(code, 'invalid');
    return faults.map((fault) => `${fault.pointer} ${fault.code}`);
  }
  return [];
}

const insert = (value) => faultsOf(() => newConference(value));

test('a conference is taken without what is not named', () => {
  const value = { id: 'A.b_c~1-', name: '  n  ', more: 1 };
  assert.deepEqual(newConference(value), { id: 'A.b_c~1-', name: '  n  ' });
});

test('names are counted in code points', () => {
  assert.deepEqual(insert({ id: 'a', name: ASTRAL.repeat(191) }), []);
  assert.deepEqual(insert({ id: 'a', name: ASTRAL.repeat(192) }), ['/name too-long']);
  assert.deepEqual(insert({ id: 'a', name: 'n'.repeat(192) }), ['/name too-long']);
  assert.deepEqual(insert({ id: 'a', name: 'n'.repeat(400) }), ['/name too-long']);
});

for (const value of [null, [], 1, 'a', true]) {
  test(`${JSON.stringify(value)} is no conference`, () => {
    assert.deepEqual(insert(value), [' type']);
  });
}

for (const [value, code] of [
  [undefined, 'required'],
  [null, 'type'],
  [1, 'type'],
  [true, 'type'],
  [[], 'type'],
  [{}, 'type'],
  ['', 'too-short'],
]) {
  test(`${JSON.stringify(value)} is neither id nor name`, () => {
    assert.deepEqual(insert({ id: value, name: value }), [`/id ${code}`, `/name ${code}`]);
  });
}

for (const [id, code] of [
  ['a'.repeat(65), 'too-long'],
  [ASTRAL.repeat(64), 'pattern'],
  ['a b', 'pattern'],
  ['é', 'pattern'],
  ['-a', 'pattern'],
  ['a/b', 'pattern'],
  ["a'", 'pattern'],
  ['a\n', 'pattern'],
]) {
  test(`${JSON.stringify(id)} is no id`, () => {
    assert.deepEqual(insert({ id, name: 'n' }), [`/id ${code}`]);
  });
}

test('64 characters are an id', () => {
  assert.deepEqual(insert({ id: 'a'.repeat(64), name: 'n' }), []);
});

for (const character of ['\u0000', '\u0009', '\u001f', '\u007f', '\ud800']) {
  test(`${JSON.stringify(character)} is in no name`, () => {
    assert.deepEqual(insert({ id: 'a', name: `n${character}` }), ['/name characters']);
  });
}

test('the id of a replace is the same, or absent', () => {
  const faults = (value) => faultsOf(() => newName(value, 'a'));
  assert.deepEqual(faults({ name: 'n' }), []);
  assert.deepEqual(faults({ id: 'a', name: 'n' }), []);
  assert.deepEqual(faults({ id: 'b', name: 'n' }), ['/id mismatch']);
  assert.deepEqual(faults({ id: '', name: '' }), ['/id mismatch', '/name too-short']);
  assert.deepEqual(faults({ id: null }), ['/id type', '/name required']);
});
