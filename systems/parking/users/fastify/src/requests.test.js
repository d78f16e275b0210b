import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  credentials,
  newDebit,
  newGrant,
  newPaymentMethod,
  newStatus,
  newUser,
  newVehicle,
} from './requests.js';

const BEYOND = '\u{1D11E}';

const USER = {
  firstName: 'Ada',
  lastName: 'L',
  email: 'a@b',
  password: 'Loadstone#1',
  nif: 100_000_000,
  licensePlateNumber: 'LA-00000',
  vehicleType: 'AUTOMOBILE',
  vehicleEnergySource: 'FUEL',
  paymentMethod: 'NOT_DEFINED',
};
const GRANT = { userIds: [6, 5], amount: -1, reason: 'r' };
const DEBIT = { userId: 1, reference: 'r', maxCoins: 0 };

/** What a function refuses: the code, or of `invalid` the faults as `pointer code`. */
function refusalOf(work) {
  try {
    work();
  } catch ({ code, faults }) {
    return faults?.map((fault) => `${fault.pointer} ${fault.code}`) ?? code;
  }
  return undefined;
}

const user = (change) => refusalOf(() => newUser({ ...USER, ...change }));
const grant = (change) => refusalOf(() => newGrant({ ...GRANT, ...change }));
const debit = (change) => refusalOf(() => newDebit({ ...DEBIT, ...change }));

test('what is right is taken', () => {
  assert.deepEqual(newUser(USER), USER);
  assert.deepEqual(newGrant(GRANT), GRANT);
  assert.deepEqual(newDebit(DEBIT), DEBIT);
  assert.deepEqual(newStatus({ userStatus: 'BLOCKED' }), { userStatus: 'BLOCKED' });
  const vehicle = { vehicleType: 'MOTORCYCLE', vehicleEnergySource: 'PLUG_IN_HYBRID' };
  assert.deepEqual(newVehicle(vehicle), vehicle);
  assert.deepEqual(credentials({ email: '', password: '\0' }), { email: '', password: '\0' });
});

for (const value of [null, [], 1, 'a', true]) {
  test(`${JSON.stringify(value)} is no object`, () => {
    for (const read of [newUser, credentials, newGrant, newStatus, newVehicle, newDebit]) {
      assert.equal(
        refusalOf(() => read(value)),
        'malformed',
      );
    }
  });
}

test('the first fault of each member is told of, in their order', () => {
  assert.deepEqual(user({ nif: 1, firstName: '' }), ['/firstName too-short', '/nif range']);
  assert.deepEqual(
    refusalOf(() => newDebit({ maxCoins: -1, userId: null })),
    ['/userId required', '/reference required', '/maxCoins range'],
  );
});

for (const name of ['role', 'id', 'toString', '__proto__', '', 'FirstName']) {
  test(`a member ${JSON.stringify(name)} is refused`, () => {
    const body = JSON.parse(JSON.stringify(USER).replace('{', `{${JSON.stringify(name)}:{},`));
    assert.equal(
      refusalOf(() => newUser(body)),
      'unknown-member',
    );
    assert.equal(
      refusalOf(() => newUser({ ...body, firstName: '' })),
      'unknown-member',
    );
  });
}

for (const [change, code] of [
  [{ firstName: '' }, 'too-short'],
  [{ firstName: 'a'.repeat(61) }, 'too-long'],
  [{ firstName: BEYOND.repeat(61) }, 'too-long'],
  [{ firstName: 'a\u0085' }, 'characters'],
  [{ lastName: 'a\x7f' }, 'characters'],
  [{ email: 'é@' }, 'too-short'],
  [{ email: `${BEYOND}@` }, 'too-short'],
  [{ email: 'a'.repeat(41) }, 'too-long'],
  [{ email: 'a b' }, 'characters'],
  [{ email: 'a@b@c' }, 'format'],
  [{ email: '@ab' }, 'format'],
  [{ email: 'ab@' }, 'format'],
  [{ password: 'Short#Pass' }, 'too-short'],
  [{ password: 'Loadstone#Park-12345' }, 'too-long'],
  [{ password: 'Loadstone #Park' }, 'characters'],
  [{ password: 'loadstone#park-1' }, 'weak'],
  [{ password: 'LOADSTONE#PARK-1' }, 'weak'],
  [{ password: 'LoadstonePark123' }, 'weak'],
  [{ nif: 99_999_999 }, 'range'],
  [{ nif: 1_000_000_000 }, 'range'],
  [{ licensePlateNumber: 'LA-00000\n' }, 'format'],
  [{ licensePlateNumber: 'MA-00000' }, 'format'],
  [{ vehicleType: 'automobile' }, 'unknown-value'],
  [{ vehicleEnergySource: 'toString' }, 'unknown-value'],
  [{ paymentMethod: '' }, 'unknown-value'],
  [{ paymentMethod: null }, 'required'],
]) {
  test(`${JSON.stringify(change)} is ${code}`, () => {
    assert.deepEqual(user(change), [`/${Object.keys(change)[0]} ${code}`]);
  });
}

test('texts are counted in code points', () => {
  assert.equal(user({ firstName: BEYOND.repeat(60), lastName: '\u2028' }), undefined);
  assert.equal(grant({ reason: BEYOND.repeat(200) }), undefined);
  assert.deepEqual(debit({ reference: BEYOND.repeat(100) }), ['/reference characters']);
});

test('half a surrogate pair is no character', () => {
  assert.equal(user({ firstName: 'a\ud800' }), 'malformed');
  assert.equal(
    refusalOf(() => credentials({ email: '\udc00', password: '' })),
    'malformed',
  );
});

for (const value of ['60', 60.5, true, [], {}, Infinity]) {
  test(`${JSON.stringify(value)} is no integer`, () => {
    assert.equal(user({ nif: value }), 'malformed');
    assert.equal(grant({ amount: value }), 'malformed');
    assert.equal(grant({ userIds: [1, value] }), 'malformed');
  });
}

for (const [userIds, code] of [
  [[], 'too-short'],
  [Array(101).fill(0), 'too-long'],
  [[4, 4, 0], 'range'],
  [[2 ** 63], 'range'],
  [[4, 5, 4], 'duplicate'],
  [null, 'required'],
]) {
  test(`ids like ${JSON.stringify(userIds)?.slice(0, 20)} are ${code}`, () => {
    assert.deepEqual(grant({ userIds }), [`/userIds ${code}`]);
  });
}

test('ids are an array, and coins are in range', () => {
  assert.equal(grant({ userIds: { 0: 1 } }), 'malformed');
  assert.equal(grant({ userIds: [null] }), 'malformed');
  for (const amount of [0, -0, 1_000_001, -1_000_001]) {
    assert.deepEqual(grant({ amount }), ['/amount range']);
  }
  assert.deepEqual(debit({ userId: 0, maxCoins: 1_000_001 }), ['/userId range', '/maxCoins range']);
});

test('a payment method that is chosen is defined', () => {
  assert.deepEqual(newPaymentMethod({ paymentMethod: 'CREDIT' }), { paymentMethod: 'CREDIT' });
  assert.deepEqual(
    refusalOf(() => newPaymentMethod({ paymentMethod: 'NOT_DEFINED' })),
    ['/paymentMethod unknown-value'],
  );
});
