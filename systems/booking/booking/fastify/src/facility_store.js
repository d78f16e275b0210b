/** The facilities in the database. */

import { OWNER_OF_CLUB } from './club_store.js';
import { Listing } from './listing.js';
import { requireOwner } from './ownership.js';
import { Problem } from './problem.js';

const COLUMNS =
  'id, club_id, name, sport, slot_minutes, opens, closes, price_cents, retired_at, created_at';

const LIST = new Listing({
  name: 'list-facilities',
  head: ({ city }) =>
    `SELECT f.id, f.club_id, f.name, f.sport, f.slot_minutes, f.opens, f.closes, f.price_cents, f.retired_at, f.created_at
    FROM facility f${city === undefined ? '' : ' JOIN club c ON c.id = f.club_id'}
    WHERE f.id > $1 AND f.retired_at IS NULL`,
  conditions: {
    sport: (n) => `f.sport = ${n}`,
    city: (n) => `c.city = ${n}`,
    club: (n) => `f.club_id = ${n}`,
    minute: (n) =>
      `f.opens <= ${n}::int AND ${n}::int + f.slot_minutes <= f.closes AND (${n}::int - f.opens) % f.slot_minutes = 0`,
    at: (n) =>
      `NOT EXISTS (SELECT 1 FROM reservation r WHERE r.facility_id = f.id AND r.status IN ('pending', 'accepted')
      AND tstzrange(r.starts_at, r.ends_at)
        && tstzrange(${n}::timestamptz, ${n}::timestamptz + f.slot_minutes * interval '1 minute'))`,
  },
  order: 'f.id',
});
const ADD = {
  name: 'add-facility',
  text: `INSERT INTO facility (club_id, name, sport, slot_minutes, opens, closes, price_cents)
    VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`,
};
const GET = { name: 'get-facility', text: `SELECT ${COLUMNS} FROM facility WHERE id = $1` };
const OWNER_OF_FACILITY = {
  name: 'owner-of-facility',
  text: 'SELECT c.owner_id FROM facility f JOIN club c ON c.id = f.club_id WHERE f.id = $1',
};
const REPLACE = {
  name: 'replace-facility',
  text: `UPDATE facility SET name = $2, sport = $3, slot_minutes = $4, opens = $5, closes = $6, price_cents = $7
    WHERE id = $1 RETURNING ${COLUMNS}`,
};
const RETIRE = {
  name: 'retire-facility',
  text: 'UPDATE facility SET retired_at = coalesce(retired_at, now()) WHERE id = $1',
};
const TAKEN = {
  name: 'list-slots',
  text: `SELECT starts_at, ends_at FROM reservation WHERE facility_id = $1 AND status IN ('pending', 'accepted')
    AND tstzrange(starts_at, ends_at) && tstzrange($2, $3) ORDER BY starts_at`,
};

const BEFORE_ALL = 0;

/** The facility with an id, as a part of other work. Rejects with a Problem where it is not there. */
export async function requireFacility(connection, id) {
  const { rows } = await connection.execute(GET, [id]);
  if (rows.length === 0) throw new Problem('not-found');
  return facilityOf(rows[0]);
}

export class FacilityStore {
  #database;

  constructor(database) {
    this.#database = database;
  }

  /** At most `most` facilities behind the id `after`, none of which is retired. */
  async list(filters, after = BEFORE_ALL, most) {
    const { statement, values } = LIST.query([after], filters, most);
    const rows = await this.#database.rows(statement, values);
    return rows.map(facilityOf);
  }

  /** The facility that was added. Rejects with a Problem where the club is not there, or not the account's. */
  add(club, account, facility) {
    return this.#database.transact(async (connection) => {
      await requireOwner(connection, OWNER_OF_CLUB, club, account);
      const { rows } = await connection.execute(ADD, [club, ...valuesOf(facility)]);
      return facilityOf(rows[0]);
    });
  }

  /** Rejects with a Problem where it is not there. */
  get(id) {
    return this.#database.read((connection) => requireFacility(connection, id));
  }

  /** The facility as it is then. Rejects with a Problem where it is not there, or not the account's. */
  replace(id, account, facility) {
    return this.#database.transact(async (connection) => {
      await requireOwner(connection, OWNER_OF_FACILITY, id, account);
      const { rows } = await connection.execute(REPLACE, [id, ...valuesOf(facility)]);
      return facilityOf(rows[0]);
    });
  }

  /** Rejects with a Problem where it is not there, or not the account's. */
  async retire(id, account) {
    await this.#database.transact(async (connection) => {
      await requireOwner(connection, OWNER_OF_FACILITY, id, account);
      await connection.execute(RETIRE, [id]);
    });
  }

  /** The facility, and the times of reservations that are in a day. Rejects with a Problem where it is not there. */
  day(id, midnight, nextMidnight) {
    return this.#database.read(async (connection) => {
      const facility = await requireFacility(connection, id);
      const { rows: taken } = await connection.execute(TAKEN, [id, midnight, nextMidnight]);
      return { facility, taken };
    });
  }
}

function facilityOf(row) {
  row.retired = row.retired_at !== null;
  return row;
}

function valuesOf({ name, sport, slot_minutes, opens, closes, price_cents }) {
  return [name, sport, slot_minutes, opens, closes, price_cents];
}
