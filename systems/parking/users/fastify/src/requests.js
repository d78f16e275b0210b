/** What is in the body of each operation that has one. All throw a Problem where it is not valid. */

import { Members } from './members.js';
import * as rules from './rules.js';
import {
  ENERGY_SOURCES,
  NOT_DEFINED,
  PAYMENT_METHODS,
  USER_STATUSES,
  VEHICLE_TYPES,
} from './words.js';

const NAME = rules.characters(1, 60);
const VEHICLE_TYPE = rules.oneOf(VEHICLE_TYPES);
const ENERGY_SOURCE = rules.oneOf(ENERGY_SOURCES);
const PAYMENT_METHOD = rules.oneOf(PAYMENT_METHODS);
const CHOSEN_METHOD = rules.oneOf(PAYMENT_METHODS.filter((method) => method !== NOT_DEFINED));
const USER_STATUS = rules.oneOf(USER_STATUSES);
const REASON = rules.characters(1, 200);
const REFERENCE = rules.visible(1, 100);
const MOST_COINS = rules.integer(0, 1_000_000);
const NIF = rules.integer(100_000_000, 999_999_999);

/** By the members of each operation, in their order. */
export const newUser = reader({
  firstName: NAME,
  lastName: NAME,
  email: rules.email,
  password: rules.password,
  nif: NIF,
  licensePlateNumber: rules.plate,
  vehicleType: VEHICLE_TYPE,
  vehicleEnergySource: ENERGY_SOURCE,
  paymentMethod: PAYMENT_METHOD,
});
export const credentials = reader({ email: rules.anyText, password: rules.anyText });
export const newGrant = reader({ userIds: rules.ids, amount: rules.amount, reason: REASON });
export const newStatus = reader({ userStatus: USER_STATUS });
export const newVehicle = reader({
  vehicleType: VEHICLE_TYPE,
  vehicleEnergySource: ENERGY_SOURCE,
});
export const newPaymentMethod = reader({ paymentMethod: CHOSEN_METHOD });
export const newDebit = reader({ userId: rules.id, reference: REFERENCE, maxCoins: MOST_COINS });

/** A function that makes an object of a value of JSON. */
function reader(members) {
  const entries = Object.entries(members);
  return (value) => {
    const read = new Members(value);
    const result = {};
    for (const [name, rule] of entries) result[name] = read.read(name, rule);
    read.finish();
    return result;
  };
}
