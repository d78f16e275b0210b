/** The table of reservations. */

import type { Span } from '../hours.js';
import type { PageRequest } from '../page.js';
import type { OwnedReservation, Reservation, ReservationFilter, Reservations } from '../store.js';
import type { Statements } from './database.js';
import { Parameters } from './parameters.js';

// Behind every id.
const BEHIND_ALL = '9223372036854775807';

const COLUMNS =
  'id, facility_id, player_id, starts_at, ends_at, status, price_cents, created_at, decided_at';
const COLUMNS_OF_R =
  'r.id, r.facility_id, r.player_id, r.starts_at, r.ends_at, r.status, r.price_cents, r.created_at, r.decided_at';
const WITH_CLUB =
  'reservation r JOIN facility f ON f.id = r.facility_id JOIN club c ON c.id = f.club_id';

const ADD = `INSERT INTO reservation (facility_id, player_id, starts_at, ends_at, price_cents) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`;
const GET = `SELECT ${COLUMNS_OF_R}, c.owner_id FROM ${WITH_CLUB} WHERE r.id = $1`;
const DECIDE = `UPDATE reservation SET status = $2, decided_at = now() WHERE id = $1 AND status = 'pending'
  RETURNING ${COLUMNS}`;
const CANCEL = `UPDATE reservation SET status = 'cancelled' WHERE id = $1 AND status IN ('pending', 'accepted')
  RETURNING ${COLUMNS}`;
const TAKEN = `SELECT starts_at, ends_at FROM reservation WHERE facility_id = $1 AND status IN ('pending', 'accepted')
  AND tstzrange(starts_at, ends_at) && tstzrange($2, $3) ORDER BY starts_at`;

export function reservations(sql: Statements): Reservations {
  return {
    async add({ facility_id, player_id, starts_at, ends_at, price_cents }) {
      const values = [facility_id, player_id, starts_at, ends_at, price_cents];
      const [reservation] = await sql.rows<Reservation>(ADD, values);
      return reservation;
    },

    async get(id) {
      const [reservation] = await sql.rows<OwnedReservation>(GET, [id]);
      return reservation;
    },

    ofPlayer(playerId, filter, page) {
      return list(sql, 'reservation r', 'r.player_id', playerId, filter, page);
    },

    ofOwner(ownerId, filter, page) {
      return list(sql, WITH_CLUB, 'c.owner_id', ownerId, filter, page);
    },

    async decide(id, status) {
      const [reservation] = await sql.rows<Reservation>(DECIDE, [id, status]);
      return reservation;
    },

    async cancel(id) {
      const [reservation] = await sql.rows<Reservation>(CANCEL, [id]);
      return reservation;
    },

    taken(facilityId, from, to) {
      return sql.rows<Span>(TAKEN, [facilityId, from, to]);
    },
  };
}

/** The reservations in some tables whose column has the id of an account. */
function list(
  sql: Statements,
  tables: string,
  column: string,
  accountId: number,
  { facilityId, status }: ReservationFilter,
  { limit, cursor = BEHIND_ALL }: PageRequest,
): Promise<Reservation[]> {
  const parameters = new Parameters();
  const conditions = [
    `r.id < ${parameters.add(cursor)}`,
    `${column} = ${parameters.add(accountId)}`,
  ];
  if (facilityId !== undefined) conditions.push(`r.facility_id = ${parameters.add(facilityId)}`);
  if (status !== undefined) conditions.push(`r.status = ${parameters.add(status)}`);
  return sql.rows<Reservation>(
    `SELECT ${COLUMNS_OF_R} FROM ${tables}
  WHERE ${conditions.join(' AND ')} ORDER BY r.id DESC LIMIT ${parameters.add(limit + 1)}`,
    parameters.values,
  );
}
