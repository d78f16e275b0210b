/** Whose a thing is, by the first statement of a transaction that changes it. */

import { Problem } from './problem.js';

/** Rejects with a Problem where nothing has the id, or it is not the account's; the statement gives `owner_id`. */
export async function requireOwner(connection, statement, id, account) {
  const { rows } = await connection.execute(statement, [id]);
  if (rows.length === 0) throw new Problem('not-found');
  if (rows[0].owner_id !== account.id) throw new Problem('forbidden');
}
