/** The wallets of users in the database: what is in them, and what was given and taken. */

import { digestOf } from './idempotency.js';
import { Problem } from './problem.js';
import { nameOf } from './user_store.js';

const MOST_BALANCE = 2_147_483_647;
const CREATED = 201;

const TOP = {
  name: 'top-coins',
  text: `SELECT first_name, last_name, email, coins FROM app_user WHERE role = 1
    ORDER BY coins DESC, id LIMIT 10`,
};
const WALLET = {
  name: 'wallet',
  text: `SELECT u.coins, e.id, e.amount, e.reason, e.manager_id, e.at FROM app_user u
    LEFT JOIN LATERAL (
      SELECT id, amount, reason, manager_id, at FROM coin_event WHERE user_id = u.id ORDER BY id DESC LIMIT 100
    ) e ON true
    WHERE u.id = $1 ORDER BY e.id DESC`,
};
// It waits for a rival that is making the same row, and makes none where the key is there.
const CLAIM_KEY = {
  name: 'claim-key',
  text: `INSERT INTO idempotency (key, operation, digest, status, body, at)
    VALUES ($1, 'grant-coins', $2, 201, $3, now()) ON CONFLICT DO NOTHING`,
};
const USED_KEY = {
  name: 'used-key',
  text: `SELECT digest, status, body FROM idempotency WHERE key = $1 AND operation = 'grant-coins'`,
};
const BALANCES = {
  name: 'balances',
  text: 'SELECT id, coins FROM app_user WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE',
};
const GIVE = {
  name: 'give-coins',
  text: 'UPDATE app_user SET coins = coins + $2 WHERE id = ANY($1)',
};
const NOTE_GRANT = {
  name: 'note-grant',
  text: `INSERT INTO coin_event (user_id, amount, reason, manager_id, at)
    SELECT id, $2::integer, $3::text, $4::bigint, now() FROM unnest($1::bigint[]) AS id ORDER BY id`,
};
const BALANCE = {
  name: 'balance',
  text: 'SELECT coins FROM app_user WHERE id = $1 FOR NO KEY UPDATE',
};
const TAKEN = {
  name: 'taken',
  text: 'SELECT user_id, amount FROM coin_event WHERE reference = $1',
};
const TAKE = {
  name: 'take-coins',
  text: 'UPDATE app_user SET coins = coins - $2 WHERE id = $1',
};
const NOTE_DEBIT = {
  name: 'note-debit',
  text: `INSERT INTO coin_event (user_id, amount, reason, reference, at)
    VALUES ($1, $2, 'debit', $3, now())`,
};

/** All rejects with a Problem. */
export class CoinStore {
  #database;

  constructor(database) {
    this.#database = database;
  }

  /** The customers who have most. */
  async top() {
    const rows = await this.#database.rows(TOP, []);
    return rows.map((row) => ({ name: nameOf(row), email: row.email, coins: row.coins }));
  }

  /** The balance of a user, and the newest events. */
  async wallet(userId) {
    const rows = await this.#database.rows(WALLET, [userId]);
    if (rows.length === 0) throw new Problem('not-found');
    const [{ coins }] = rows;
    const events = rows.filter(({ id }) => id !== null).map(eventOf);
    return { userId: Number(userId), coins, events };
  }

  /** Gives coins once for a key. The answer, as `{status, body, isReplayed}`; the key goes where it fails. */
  grant(key, asked, managerId) {
    const digest = digestOf(asked);
    const body = JSON.stringify({ granted: asked.userIds.length });
    return this.#database.transact(async (connection) => {
      const { rowCount } = await connection.execute(CLAIM_KEY, [key, digest, body]);
      if (rowCount === 0) return answerOf(connection, key, digest);
      await give(connection, asked, managerId);
      return { status: CREATED, body, isReplayed: false };
    });
  }

  /** Takes coins once for a reference. How many were taken, now or before. */
  debit({ userId, reference, maxCoins }) {
    return this.#database.transact(async (connection) => {
      const { rows } = await connection.execute(BALANCE, [userId]);
      if (rows.length === 0) throw new Problem('not-found');
      const { rows: before } = await connection.execute(TAKEN, [reference]);
      if (before.length > 0) {
        if (before[0].user_id !== userId) throw new Problem('idempotency-mismatch');
        return -before[0].amount;
      }
      const taken = Math.min(rows[0].coins, maxCoins);
      await connection.execute(TAKE, [userId, taken]);
      await connection.execute(NOTE_DEBIT, [userId, -taken, reference]);
      return taken;
    });
  }
}

async function give(connection, { userIds, amount, reason }, managerId) {
  const { rows } = await connection.execute(BALANCES, [userIds]);
  if (rows.length < userIds.length) throw new Problem('not-found');
  const balances = rows.map(({ coins }) => coins + amount);
  if (balances.some((balance) => balance < 0 || balance > MOST_BALANCE)) throw new Problem('coins');
  await connection.execute(GIVE, [userIds, amount]);
  await connection.execute(NOTE_GRANT, [userIds, amount, reason, managerId]);
}

/** What was answered for a key that was used before. */
async function answerOf(connection, key, digest) {
  const { rows } = await connection.execute(USED_KEY, [key]);
  const [{ digest: used, status, body }] = rows;
  if (!digest.equals(used)) throw new Problem('idempotency-mismatch');
  return { status, body, isReplayed: true };
}

function eventOf(row) {
  return {
    id: row.id,
    amount: row.amount,
    reason: row.reason,
    managerId: row.manager_id,
    at: row.at,
  };
}
