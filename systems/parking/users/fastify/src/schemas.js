/**
 * The schemas of what is answered, from which Fastify makes the functions that encode it: the members of SPEC.md, in
 * its order.
 */

const TEXT = { type: 'string' };
const INTEGER = { type: 'integer' };
const INTEGER_OR_NULL = { type: ['integer', 'null'] };

export const HEALTH = object({ status: TEXT });

export const LOGIN = object({ token: TEXT, name: TEXT, expiresAt: TEXT });

export const VEHICLE = object({
  licensePlateNumber: TEXT,
  vehicleType: TEXT,
  vehicleEnergySource: TEXT,
});
export const VEHICLES = list(VEHICLE);

export const USER = object({
  id: INTEGER,
  firstName: TEXT,
  lastName: TEXT,
  email: TEXT,
  nif: INTEGER,
  parkingHistory: list(TEXT),
  totalParkies: INTEGER,
  vehicles: VEHICLES,
  role: TEXT,
  paymentMethod: TEXT,
  userStatus: TEXT,
});
export const USERS = list(USER);

export const PAYMENT_METHOD = object({ paymentMethod: TEXT });

export const TOP = list(object({ name: TEXT, email: TEXT, coins: INTEGER }));

const EVENT = object({
  id: INTEGER,
  amount: INTEGER,
  reason: TEXT,
  managerId: INTEGER_OR_NULL,
  at: TEXT,
});
export const WALLET = object({ userId: INTEGER, coins: INTEGER, events: list(EVENT) });

export const TAKEN = object({ coins: INTEGER });

function object(properties) {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function list(items) {
  return { type: 'array', items };
}
