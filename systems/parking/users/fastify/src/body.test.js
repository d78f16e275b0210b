import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseBody } from './body.js';

const JSON_TYPE = 'application/json';

test('what is JSON in UTF-8 is read, whatever the parameters of its type say', () => {
  for (const type of [JSON_TYPE, 'Application/JSON ; charset=latin1', `${JSON_TYPE};a`]) {
    assert.deepEqual(parseBody(Buffer.from('\n{"a":"é"}\r\n'), type), { a: 'é' });
  }
});

for (const type of [undefined, '', 'text/plain', 'application/json5', 'application/*']) {
  test(`a body of the type ${type} is refused before it is read`, () => {
    assert.throws(() => parseBody(undefined, type), { code: 'unsupported-media-type' });
  });
}

for (const bytes of [
  Buffer.alloc(0),
  Buffer.from('{'),
  Buffer.from('{}{}'),
  Buffer.from('\ufeff{}'),
  Buffer.from('{"a":NaN}'),
  Buffer.from('{"a":01}'),
  Buffer.from([0x22, 0xbf, 0x27, 0x22]),
  Buffer.from([0x22, 0xc0, 0x80, 0x22]),
  Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  Buffer.from('{}', 'utf16le'),
  Buffer.from('['.repeat(65_536)),
]) {
  test(`${bytes.subarray(0, 8).toString('hex')} is no JSON`, () => {
    assert.throws(() => parseBody(bytes, JSON_TYPE), { code: 'malformed' });
  });
}
