/** What an error of the database is to the caller, by its SQLSTATE: SPEC.md, *Database rules*. */

import { Problem } from './problem.js';

// What the database ends in favour of another transaction.
const GIVEN_WAY = ['40001', '40P01'];
const UNAVAILABLE = [
  ...GIVEN_WAY,
  '53300', // too many connections
  '55P03', // waited too long for a lock
  '57014', // the statement took too long
];
// What the server says of a session that it ends, and class 08.
const OF_CONNECTION = /^(08...|57P0[1-5])$/;

const UNIQUE_VIOLATION = '23505';
const RIVALS = {
  app_user_email_key: 'duplicate-email',
  app_user_nif_key: 'duplicate-nif',
  vehicle_pkey: 'duplicate-plate',
  coin_event_reference_key: 'idempotency-mismatch',
};
// Of a balance: a check is violated, and a number out of range.
const OF_COINS = ['23514', '22003'];

/** The problem of an error that the server told of, over a connection that goes on. */
export function problemOf(error) {
  const { code, constraint } = error;
  if (UNAVAILABLE.includes(code) || OF_CONNECTION.test(code)) return unavailable(error);
  if (code === UNIQUE_VIOLATION && Object.hasOwn(RIVALS, constraint)) {
    return new Problem(RIVALS[constraint]);
  }
  return OF_COINS.includes(code) ? new Problem('coins') : new Problem('internal', { cause: error });
}

/** The problem of a connection that is lost, or was given up. */
export function unavailable(cause) {
  return new Problem('unavailable', { cause });
}

/** Whether a transaction is to be made once more. */
export function hasGivenWay({ cause }) {
  return GIVEN_WAY.includes(cause?.code);
}

/** What is said of a failure in a line. The text of an error of the server may have a part of a row. */
export function lineOf({ code, cause }) {
  if (cause === undefined) return code;
  const isOfServer = cause.severity !== undefined;
  return `${code}: ${isOfServer ? `SQLSTATE ${cause.code}` : cause.message}`;
}
