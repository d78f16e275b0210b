import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CoinStore } from './coin_store.js';
import { Database } from './database.js';
import { digestOf } from './idempotency.js';
import { UserStore, usersIn } from './user_store.js';
import { VehicleStore } from './vehicle_store.js';

const ROW = {
  ...{ id: 5, first_name: 'Sefa', last_name: 'Larkmoor', email: 's@park.example', nif: 7 },
  ...{ coins: 3, role: 1, payment_method: 2, status: 0 },
};
const NO_VEHICLE = { plate: null, type: null, energy: null };
const VEHICLE = {
  licensePlateNumber: 'LA-00015',
  vehicleType: 'MOTORCYCLE',
  vehicleEnergySource: 'GPL',
};
const GRANT = { userIds: [6, 5], amount: 2, reason: 'r' };

/** A database that answers by the names of statements; `asked` has them and their values. */
function databaseOf(answers) {
  const asked = [];
  const connection = {
    execute: async ({ name, text }, values) => {
      asked.push([name ?? text, ...(values ?? [])]);
      const rows = answers[name] ?? [];
      return { rows, rowCount: rows.length };
    },
  };
  return { database: new Database({ use: (work) => work(connection) }), asked };
}

const namesOf = (asked) => asked.map(([name]) => name);

test('the rows of a user make one', () => {
  const rows = [
    { ...ROW, plate: 'LA-00015', type: 1, energy: 1 },
    { ...ROW, plate: 'LA-00016', type: 0, energy: 3 },
    { ...ROW, ...NO_VEHICLE, id: 6, role: 3, status: 2 },
  ];
  const [first, second] = usersIn(rows);
  assert.deepEqual(
    first.vehicles.map(({ licensePlateNumber }) => licensePlateNumber),
    ['LA-00015', 'LA-00016'],
  );
  assert.deepEqual(first.vehicles[0], VEHICLE);
  assert.deepEqual(
    [second.id, second.vehicles, second.role, second.userStatus],
    [6, [], 'PARK_MANAGER', 'BLOCKED'],
  );
});

test('a user is made with a vehicle, in one transaction', async () => {
  const { database, asked } = databaseOf({ 'insert-user': [{ id: 9 }] });
  const wanted = { firstName: 'a', lastName: 'b', email: 'a@b', nif: 7, paymentMethod: 'PAYPAL' };
  const user = await new UserStore(database).add({ ...wanted, ...VEHICLE }, 'hash');
  assert.deepEqual([user.id, user.role, user.vehicles], [9, 'CUSTOMER', [VEHICLE]]);
  assert.deepEqual(asked, [
    ['BEGIN'],
    ['insert-user', 'a', 'b', 'a@b', 'hash', 7, 2],
    ['insert-vehicle', 'LA-00015', 9, 1, 1],
    ['COMMIT'],
  ]);
});

test('a user who is not there is told of', async () => {
  const { database, asked } = databaseOf({});
  const users = new UserStore(database);
  await assert.rejects(users.get('5'), { code: 'not-found' });
  await assert.rejects(users.paymentMethod('5'), { code: 'not-found' });
  await assert.rejects(users.setPaymentMethod('5', 'CREDIT'), { code: 'not-found' });
  await assert.rejects(users.setStatus('5', 'ENABLED'), { code: 'not-found' });
  assert.deepEqual(namesOf(asked).slice(-3), ['BEGIN', 'set-status', 'ROLLBACK']);
  assert.equal(await users.byEmail('a@b'), undefined);
});

for (const [what, plates, outcome, last] of [
  ['a new plate', [], true, 'insert-vehicle'],
  ['an own plate', [{ plate: 'LA-00015', user_id: 5 }], false, 'update-vehicle'],
  ["another's plate", [{ plate: 'LA-00015', user_id: 6 }], 'duplicate-plate'],
  ['a fourth plate', ['a', 'b', 'c'].map((plate) => ({ plate, user_id: 5 })), 'vehicle-limit'],
]) {
  test(`${what} is ${outcome}`, async () => {
    const { database, asked } = databaseOf({ 'lock-user': [{ id: 5 }], plates });
    const put = new VehicleStore(database).put('5', VEHICLE);
    if (last === undefined) {
      await assert.rejects(put, { code: outcome });
      assert.deepEqual(namesOf(asked), ['BEGIN', 'lock-user', 'plates', 'ROLLBACK']);
    } else {
      assert.equal(await put, outcome);
      assert.deepEqual(namesOf(asked), ['BEGIN', 'lock-user', 'plates', last, 'COMMIT']);
    }
  });
}

test('a grant is made once for a key', async () => {
  const balances = [
    { id: 5, coins: 0 },
    { id: 6, coins: 1 },
  ];
  const { database, asked } = databaseOf({ 'claim-key': [{}], balances });
  const answer = await new CoinStore(database).grant('key', GRANT, '3');
  assert.deepEqual(answer, { status: 201, body: '{"granted":2}', isReplayed: false });
  assert.deepEqual(asked.at(-2), ['note-grant', [6, 5], 2, 'r', '3']);
});

for (const [what, answers, code] of [
  ['an unknown user', { 'claim-key': [{}], balances: [{ id: 5, coins: 0 }] }, 'not-found'],
  [
    'a balance too large',
    { 'claim-key': [{}], balances: [{ coins: 2_147_483_646 }, { coins: 0 }] },
    'coins',
  ],
  ['another digest', { 'used-key': [{ digest: Buffer.alloc(32) }] }, 'idempotency-mismatch'],
]) {
  test(`a grant with ${what} is ${code}`, async () => {
    const { database, asked } = databaseOf(answers);
    await assert.rejects(new CoinStore(database).grant('key', GRANT, '3'), { code });
    assert.equal(namesOf(asked).at(-1), 'ROLLBACK');
  });
}

test('a grant that is asked for again has the stored answer', async () => {
  const stored = { digest: digestOf(GRANT), status: 201, body: '{"granted":2}' };
  const { database } = databaseOf({ 'used-key': [stored] });
  const { isReplayed, body } = await new CoinStore(database).grant('key', GRANT, '3');
  assert.deepEqual([isReplayed, body], [true, '{"granted":2}']);
});

const DEBIT = { userId: 5, reference: 'r', maxCoins: 10 };

test('a debit takes what is there', async () => {
  const { database, asked } = databaseOf({ balance: [{ coins: 4 }] });
  assert.equal(await new CoinStore(database).debit(DEBIT), 4);
  assert.deepEqual(asked.slice(3, 5), [
    ['take-coins', 5, 4],
    ['note-debit', 5, -4, 'r'],
  ]);
});

test('a debit that is asked for again takes nothing', async () => {
  const taken = [{ user_id: 5, amount: -7 }];
  const { database, asked } = databaseOf({ balance: [{ coins: 4 }], taken });
  assert.equal(await new CoinStore(database).debit(DEBIT), 7);
  assert.deepEqual(namesOf(asked), ['BEGIN', 'balance', 'taken', 'COMMIT']);
  const other = new CoinStore(database).debit({ ...DEBIT, userId: 6 });
  await assert.rejects(other, { code: 'idempotency-mismatch' });
});

test('a wallet may be empty', async () => {
  const { database } = databaseOf({ wallet: [{ coins: 0, id: null }] });
  assert.deepEqual(await new CoinStore(database).wallet('5'), { userId: 5, coins: 0, events: [] });
});
