/** The table of facilities. */

import { minuteOfDay } from '../hours.js';
import { type Instant, dateOf } from '../instant.js';
import type { Club, Facilities, Facility } from '../store.js';
import type { Statements } from './database.js';
import { onlyRow } from './only_row.js';
import { Parameters } from './parameters.js';

const COLUMNS =
  'id, club_id, name, sport, slot_minutes, opens, closes, price_cents, retired_at, created_at';
const COLUMNS_OF_F =
  'f.id, f.club_id, f.name, f.sport, f.slot_minutes, f.opens, f.closes, f.price_cents, f.retired_at, f.created_at';

const ADD = `INSERT INTO facility (club_id, name, sport, slot_minutes, opens, closes, price_cents)
  VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`;
const GET = `SELECT ${COLUMNS} FROM facility WHERE id = $1`;
const IS_THERE = 'SELECT 1 FROM facility WHERE id = $1';
const OWNER = 'SELECT c.owner_id FROM facility f JOIN club c ON c.id = f.club_id WHERE f.id = $1';
const REPLACE = `UPDATE facility SET name = $2, sport = $3, slot_minutes = $4, opens = $5, closes = $6, price_cents = $7
  WHERE id = $1 RETURNING ${COLUMNS}`;
const RETIRE = 'UPDATE facility SET retired_at = coalesce(retired_at, now()) WHERE id = $1';

export function facilities(sql: Statements): Facilities {
  return {
    async list({ freeAt, sport, city, clubId }, { limit, cursor = '0' }) {
      const parameters = new Parameters();
      const conditions = [`f.id > ${parameters.add(cursor)}`, 'f.retired_at IS NULL'];
      if (sport !== undefined) conditions.push(`f.sport = ${parameters.add(sport)}`);
      if (city !== undefined) conditions.push(`c.city = ${parameters.add(city)}`);
      if (clubId !== undefined) conditions.push(`f.club_id = ${parameters.add(clubId)}`);
      if (freeAt !== undefined) conditions.push(isFree(freeAt, parameters));
      const join = city === undefined ? '' : 'JOIN club c ON c.id = f.club_id ';
      return sql.rows<Facility>(
        `SELECT ${COLUMNS_OF_F} FROM facility f ${join}
  WHERE ${conditions.join(' AND ')} ORDER BY f.id LIMIT ${parameters.add(limit + 1)}`,
        parameters.values,
      );
    },

    async add(clubId, { name, sport, slot_minutes, opens, closes, price_cents }) {
      const values = [clubId, name, sport, slot_minutes, opens, closes, price_cents];
      return onlyRow(await sql.rows<Facility>(ADD, values));
    },

    async get(id) {
      const [facility] = await sql.rows<Facility>(GET, [id]);
      return facility;
    },

    async isThere(id) {
      const rows = await sql.rows(IS_THERE, [id]);
      return rows.length > 0;
    },

    async ownerOf(id) {
      const [club] = await sql.rows<Pick<Club, 'owner_id'>>(OWNER, [id]);
      return club?.owner_id;
    },

    async replace(id, { name, sport, slot_minutes, opens, closes, price_cents }) {
      const values = [id, name, sport, slot_minutes, opens, closes, price_cents];
      const [facility] = await sql.rows<Facility>(REPLACE, values);
      return facility;
    },

    async retire(id) {
      await sql.count(RETIRE, [id]);
    },
  };
}

/** The condition that a facility has a slot which begins at an instant, and no reservation that lives is in it. */
function isFree(at: Instant, parameters: Parameters): string {
  const minute = `${parameters.add(minuteOfDay(at))}::int`;
  const begin = `${parameters.add(dateOf(at.seconds))}::timestamptz`;
  return `f.opens <= ${minute} AND ${minute} + f.slot_minutes <= f.closes
  AND (${minute} - f.opens) % f.slot_minutes = 0
  AND NOT EXISTS (SELECT 1 FROM reservation r WHERE r.facility_id = f.id AND r.status IN ('pending', 'accepted')
    AND tstzrange(r.starts_at, r.ends_at) && tstzrange(${begin}, ${begin} + f.slot_minutes * interval '1 minute'))`;
}
