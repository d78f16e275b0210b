import assert from 'node:assert/strict';
import { test } from 'node:test';

import bcrypt from 'bcrypt';

import { Passwords } from './passwords.js';

// That of the seed.
const PASSWORD = 'Loadstone#Park-1';
const SEED = '$2b$10$LoadstoneParkSeedSalt.vo/GxERivFmh9jg20q0DBbcJd2jCq1q';
const SEED_A = SEED.replace('$2b$', '$2a$');

const passwords = new Passwords(4);

test('a hash has the cost, and is that of its password alone', async () => {
  const hash = await passwords.hash(PASSWORD);
  assert.match(hash, /^\$2[ab]\$04\$.{53}$/);
  assert.equal(await passwords.isRight(PASSWORD, hash), true);
  assert.equal(await passwords.isRight('Loadstone#Park-2', hash), false);
});

test('the cost of a new hash is 10', async () => {
  assert.match(await new Passwords().hash(PASSWORD), /^\$2[ab]\$10\$/);
});

for (const hash of [SEED, SEED_A]) {
  test(`${hash.slice(0, 4)} of the seed is verified`, async () => {
    assert.equal(await passwords.isRight(PASSWORD, hash), true);
    assert.equal(await passwords.isRight('another', hash), false);
  });
}

test('there is no 73rd byte, and no password repeats itself', async () => {
  const longest = await bcrypt.hash('a'.repeat(72), 4);
  assert.equal(await passwords.isRight('a'.repeat(72), longest), true);
  assert.equal(await passwords.isRight('a'.repeat(73), longest), false);
  const short = await bcrypt.hash('abc', 4);
  assert.equal(await passwords.isRight('abc\0abc', short), false);
});

test('without a hash no password is right', async () => {
  assert.equal(await passwords.isRight(PASSWORD), false);
  assert.equal(await passwords.isRight(''), false);
});
