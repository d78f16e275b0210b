/** The reservations in the database. */

import { requireFacility } from './facility_store.js';
import { faultOfStart } from './grid.js';
import { claimKey, fingerprintOf, keepBody } from './idempotency.js';
import { showInstant } from './instant.js';
import { Listing } from './listing.js';
import { Problem } from './problem.js';

const MINUTE_SECONDS = 60;
// The largest id that PostgreSQL can have. As a text, since a number of JavaScript is not that exact.
const BEHIND_ALL = '9223372036854775807';

const COLUMNS =
  'id, facility_id, player_id, starts_at, ends_at, status, price_cents, created_at, decided_at';
const SELECT =
  'SELECT r.id, r.facility_id, r.player_id, r.starts_at, r.ends_at, r.status, r.price_cents, r.created_at, r.decided_at';
const WITH_CLUB =
  'FROM reservation r JOIN facility f ON f.id = r.facility_id JOIN club c ON c.id = f.club_id';

const FILTERS = {
  facility: (n) => `r.facility_id = ${n}`,
  status: (n) => `r.status = ${n}`,
};
const LISTS = {
  player: new Listing({
    name: 'list-reservations-of-player',
    head: `${SELECT} FROM reservation r WHERE r.id < $1 AND r.player_id = $2`,
    conditions: FILTERS,
    order: 'r.id DESC',
  }),
  owner: new Listing({
    name: 'list-reservations-of-owner',
    head: `${SELECT} ${WITH_CLUB} WHERE r.id < $1 AND c.owner_id = $2`,
    conditions: FILTERS,
    order: 'r.id DESC',
  }),
};
const RESERVE = {
  name: 'reserve',
  text: `INSERT INTO reservation (facility_id, player_id, starts_at, ends_at, price_cents) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
};
const GET = { name: 'get-reservation', text: `${SELECT}, c.owner_id ${WITH_CLUB} WHERE r.id = $1` };
const DECIDE = {
  name: 'decide',
  text: `UPDATE reservation SET status = $2, decided_at = now() WHERE id = $1 AND status = 'pending'
    RETURNING ${COLUMNS}`,
};
const CANCEL = {
  name: 'cancel',
  text: `UPDATE reservation SET status = 'cancelled' WHERE id = $1 AND status IN ('pending', 'accepted')
    RETURNING ${COLUMNS}`,
};

/** The reservation with an id, as a part of other work. Rejects with a Problem where it is not the player's. */
export async function requirePlayed(connection, id, account) {
  const { rows } = await connection.execute(GET, [id]);
  if (rows[0]?.player_id !== account.id) throw new Problem('not-found');
  return rows[0];
}

export class ReservationStore {
  #database;

  constructor(database) {
    this.#database = database;
  }

  /** At most `most` reservations before the id `before`: a player's own, or those of an owner's clubs. */
  list(account, filters, before = BEHIND_ALL, most) {
    const { statement, values } = LISTS[account.role].query([before, account.id], filters, most);
    return this.#database.rows(statement, values);
  }

  /** The reservation of a player, or of an owner's club. Rejects with a Problem where it is not the account's. */
  async get(id, account) {
    const row = await this.#database.row(GET, [id]);
    const concerned = account.role === 'player' ? row?.player_id : row?.owner_id;
    if (concerned !== account.id) throw new Problem('not-found');
    return row;
  }

  /**
   * Adds what is wanted, or finds what was added by the same key before. Resolves with the body of the answer, which
   * `encode` makes of a reservation, and with `isReplayed`. Rejects with a Problem.
   */
  reserve(account, wanted, key, encode) {
    return this.#database.transact(async (connection) => {
      if (key === undefined) return { body: encode(await add(connection, account, wanted)) };
      const stored = await claimKey(connection, account, key, fingerprintOf(wanted));
      if (stored !== undefined) return { body: stored, isReplayed: true };
      const body = encode(await add(connection, account, wanted));
      await keepBody(connection, account, key, body);
      return { body };
    });
  }

  /** Makes a pending reservation `accepted` or `rejected`. Rejects with a Problem. */
  decide(id, account, status) {
    return this.#database.transact(async (connection) => {
      const { rows } = await connection.execute(GET, [id]);
      if (rows[0]?.owner_id !== account.id) throw new Problem('not-found');
      return changed(await connection.execute(DECIDE, [id, status]));
    });
  }

  /** Rejects with a Problem where the reservation is not the player's, or is over. */
  cancel(id, account) {
    return this.#database.transact(async (connection) => {
      await requirePlayed(connection, id, account);
      return changed(await connection.execute(CANCEL, [id]));
    });
  }
}

/** Adds a reservation. That its time is taken is told by the database alone, which knows of all rivals. */
async function add(connection, account, { facility_id, start, slots }) {
  const facility = await requireFacility(connection, facility_id);
  const code = faultOfStart(start, slots, facility);
  if (code !== undefined) {
    throw new Problem('validation', { faults: [{ pointer: '/starts_at', code }] });
  }
  if (facility.retired) throw new Problem('facility-retired');
  const { rows } = await connection.execute(RESERVE, [
    facility_id,
    account.id,
    showInstant(start.seconds),
    showInstant(start.seconds + slots * facility.slot_minutes * MINUTE_SECONDS),
    facility.price_cents * slots,
  ]);
  if (rows.length === 0) throw new Problem('slot-taken');
  return rows[0];
}

/** The row of a reservation that was changed. There is none where it was in another state, or is since. */
function changed({ rows }) {
  if (rows.length === 0) throw new Problem('wrong-state');
  return rows[0];
}
