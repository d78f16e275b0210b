import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { Hasher } from './hasher.js';

const COST = 4;
// Of `court-side-2040`, at another cost than the hasher's.
const OF_THE_SEED = '$2b$04$courtsidecourtsidecouuDPA1CyCaj1RGbCiy4psmRUKp0EtfvEq';

function hasherOf(t: TestContext, cost = COST, threads = 2): Hasher {
  const hasher = new Hasher(cost, threads);
  t.after(() => hasher.close());
  return hasher;
}

test('a password is that of its hash, and no other is', async (t) => {
  const hasher = hasherOf(t);
  const hash = await hasher.hash('court-side');
  assert.match(hash, /^\$2[ab]\$04\$/);
  assert.equal(await hasher.matches('court-side', hash), true);
  assert.equal(await hasher.matches('court-sidE', hash), false);
});

test('more are asked for than there are threads', async (t) => {
  const hasher = hasherOf(t);
  const hashes = await Promise.all(Array.from({ length: 7 }, () => hasher.hash('court-side')));
  assert.equal(new Set(hashes).size, 7);
});

test('a hash is verified at the cost that it names, by either of its names', async (t) => {
  const hasher = hasherOf(t, COST + 1);
  assert.equal(await hasher.matches('court-side-2040', OF_THE_SEED), true);
  assert.equal(await hasher.matches('court-side-2040', OF_THE_SEED.replace('2b', '2a')), true);
});

test('without a hash no password is right', async (t) => {
  const hasher = hasherOf(t);
  assert.equal(await hasher.matches('court-side', undefined), false);
});

test('72 bytes are looked at, and more are not taken', async (t) => {
  const hasher = hasherOf(t);
  const password = 'ä'.repeat(36);
  const hash = await hasher.hash(password);
  assert.equal(await hasher.matches(password, hash), true);
  assert.equal(await hasher.matches(`${'ä'.repeat(35)}aa`, hash), false);
  assert.equal(await hasher.matches(`${password}a`, hash), false);
});

test('a hash that is under way is ended before its thread', async () => {
  const hasher = new Hasher(COST, 1);
  await hasher.hash('court-side'); // the thread has loaded bcrypt
  const begun = hasher.hash('court-side');
  await hasher.close();
  assert.match(await begun, /^\$2[ab]\$04\$/);
});
