/** The table of the keys of requests that may be sent again. */

import type { KeptRequest, Keys } from '../store.js';
import type { Statements } from './database.js';

const CLAIM = `INSERT INTO idempotency (account_id, key, fingerprint) VALUES ($1, $2, $3)
  ON CONFLICT DO NOTHING`;
const FIND = 'SELECT fingerprint, body FROM idempotency WHERE account_id = $1 AND key = $2';
const KEEP = 'UPDATE idempotency SET body = $3 WHERE account_id = $1 AND key = $2';

export function keys(sql: Statements): Keys {
  return {
    async claim(accountId, key, fingerprint) {
      const count = await sql.count(CLAIM, [accountId, key, fingerprint]);
      return count > 0;
    },

    async find(accountId, key) {
      const [kept] = await sql.rows<KeptRequest>(FIND, [accountId, key]);
      return kept;
    },

    async keep(accountId, key, body) {
      await sql.count(KEEP, [accountId, key, body]);
    },
  };
}
