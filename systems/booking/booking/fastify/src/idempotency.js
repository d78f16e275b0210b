/** Keys by which a caller may repeat a reservation: SPEC.md, `Idempotency-Key`. */

import { createHash } from 'node:crypto';

import { showInstant } from './instant.js';
import { Problem } from './problem.js';

const KEY = /^[\x21-\x7e]{1,64}$/;

const CLAIM = {
  name: 'claim-key',
  text: `INSERT INTO idempotency (account_id, key, fingerprint) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING`,
};
const GET = {
  name: 'get-key',
  text: 'SELECT fingerprint, body FROM idempotency WHERE account_id = $1 AND key = $2',
};
const KEEP = {
  name: 'keep-body',
  text: 'UPDATE idempotency SET body = $3 WHERE account_id = $1 AND key = $2',
};

/** The key of a request, or nothing. Throws a Problem. */
export function readKey({ headers }) {
  const key = headers['idempotency-key'];
  if (key !== undefined && !KEY.test(key)) throw new Problem('malformed');
  return key;
}

/** What requests of one key have to have in common. */
export function fingerprintOf({ facility_id, start, slots }) {
  return createHash('sha256')
    .update(`${facility_id}|${showInstant(start.seconds)}|${slots}`)
    .digest();
}

/**
 * Takes a key for the transaction; a rival that has it is waited for. Gives nothing, or the body that is stored where
 * the key was used before. Rejects with a Problem where that was for something else.
 */
export async function claimKey(connection, account, key, fingerprint) {
  const { rowCount } = await connection.execute(CLAIM, [account.id, key, fingerprint]);
  if (rowCount === 1) return undefined;
  const { rows } = await connection.execute(GET, [account.id, key]);
  const [{ fingerprint: used, body }] = rows;
  if (!fingerprint.equals(used)) throw new Problem('idempotency-mismatch');
  return body;
}

/** Stores the body of the answer, for those who repeat the request. */
export async function keepBody(connection, account, key, body) {
  await connection.execute(KEEP, [account.id, key, body]);
}
