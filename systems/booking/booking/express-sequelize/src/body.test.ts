import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseBody } from './body.js';

const TYPE = 'application/json';

test('a body is JSON by its type, whatever the parameters', () => {
  for (const type of [TYPE, 'Application/JSON', `${TYPE}; charset=latin1`, `${TYPE} ;x`]) {
    assert.deepEqual(parseBody(Buffer.from('{"a":"Ä"}'), type), { a: 'Ä' });
  }
});

for (const type of [undefined, '', 'text/plain', 'application/jsonp', 'application/problem+json']) {
  test(`${String(type)} is no type of it`, () => {
    assert.throws(() => parseBody(Buffer.from('{}'), type), { code: 'unsupported-media-type' });
  });
}

for (const bytes of [
  Buffer.from(''),
  Buffer.from('{'),
  Buffer.from('{} {}'),
  Buffer.from('{"a":1}', 'utf16le'),
  Buffer.from('"\xbf\x27"', 'latin1'),
  Buffer.from('"\xc0\xaf"', 'latin1'),
  Buffer.from('"\xed\xa0\x80"', 'latin1'),
]) {
  test(`the bytes ${bytes.toString('hex')} are malformed`, () => {
    assert.throws(() => parseBody(bytes, TYPE), { code: 'malformed' });
  });
}
