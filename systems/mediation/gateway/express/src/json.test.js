import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BadBody } from './errors.js';
import { numberText, parse } from './json.js';

for (const text of [
  '-7',
  '23.56',
  '0',
  '-0',
  '0.00000000000001',
  '-0.000000123',
  '999999999999999',
]) {
  test(`the number ${text} keeps its form`, () => {
    assert.equal(numberText(JSON.parse(text)), text);
  });
}

for (const [name, bytes] of [
  ['nothing', ''],
  ['a second value', '{} {}'],
  ['a trailing comma', '[1,]'],
  ['not a number', 'NaN'],
  ['a byte order mark', '\ufeff{}'],
  ['what is not UTF-8', [0x22, 0xff, 0x22]],
]) {
  test(`${name} is not JSON`, () => {
    assert.throws(() => parse(Buffer.from(bytes)), BadBody);
  });
}
