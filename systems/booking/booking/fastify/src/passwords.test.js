import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Passwords } from './passwords.js';

// Those of the seed, at cost 4 and 10: of `court-side-2040`.
const SEED_4 = '$2b$04$courtsidecourtsidecouuDPA1CyCaj1RGbCiy4psmRUKp0EtfvEq';
const SEED_10 = '$2b$10$courtsidecourtsidecouuv5y/f6o5v81yQHI5QY8M9i9LUcafCoC';
const PASSWORD = 'court-side-2040';

const passwords = new Passwords(4);

test('a hash has the cost, and is that of its password alone', async () => {
  const hash = await passwords.hash(PASSWORD);
  assert.match(hash, /^\$2[ab]\$04\$.{53}$/);
  assert.equal(await passwords.isRight(PASSWORD, hash), true);
  assert.equal(await passwords.isRight('court-side-2041', hash), false);
});

for (const hash of [SEED_4, SEED_10, SEED_4.replace('$2b$', '$2a$')]) {
  test(`${hash.slice(0, 7)} of the seed is verified`, async () => {
    assert.equal(await passwords.isRight(PASSWORD, hash), true);
    assert.equal(await passwords.isRight('another', hash), false);
  });
}

test('the 72nd byte counts, and there is no 73rd', async () => {
  const longest = 'ä'.repeat(36);
  const hash = await passwords.hash(longest);
  assert.equal(await passwords.isRight(longest, hash), true);
  assert.equal(await passwords.isRight(`${'ä'.repeat(35)}ö`, hash), false);
  assert.equal(await passwords.isRight(`${longest}a`, hash), false);
});

test('without a hash no password is right', async () => {
  assert.equal(await passwords.isRight(PASSWORD), false);
  assert.equal(await passwords.isRight(''), false);
});

test('without a hash as much is computed', async () => {
  const costly = new Passwords(10);
  const timeOf = async (hash) => {
    const start = performance.now();
    await costly.isRight(PASSWORD, hash);
    return performance.now() - start;
  };
  // Far from the truth of either, so that a machine that is busy does not matter.
  assert.ok((await timeOf(undefined)) > (await timeOf(SEED_4)));
});
