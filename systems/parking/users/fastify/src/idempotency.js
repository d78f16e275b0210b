/** Keys by which a grant may be asked for again: SPEC.md, `grant-coins`. */

import { createHash } from 'node:crypto';

import { Problem } from './problem.js';

const KEY = /^[A-Za-z0-9-]{16,64}$/;

/** The one key of a request, of which two fields would be joined by a comma. Throws a Problem. */
export function readKey(headers) {
  const key = headers['idempotency-key'];
  if (key === undefined || !KEY.test(key)) throw new Problem('malformed');
  return key;
}

/** What requests of one key have to have in common. */
export function digestOf({ amount, userIds, reason }) {
  return createHash('sha256')
    .update(`${amount}|${userIds.join(',')}|${reason}`)
    .digest();
}
