/** The table of clubs. */

import type { Club, Clubs } from '../store.js';
import type { Statements } from './database.js';
import { partPattern } from './like.js';
import { onlyRow } from './only_row.js';
import { Parameters } from './parameters.js';

const COLUMNS = 'id, owner_id, name, city, description, created_at';

const ADD = `INSERT INTO club (owner_id, name, city, description) VALUES ($1, $2, $3, $4)
  RETURNING ${COLUMNS}`;
const GET = `SELECT ${COLUMNS} FROM club WHERE id = $1`;
const OWNER = 'SELECT owner_id FROM club WHERE id = $1';
const REPLACE = `UPDATE club SET name = $2, city = $3, description = $4 WHERE id = $1
  RETURNING ${COLUMNS}`;

export function clubs(sql: Statements): Clubs {
  return {
    async list({ ownerId, city, namePart }, { limit, cursor = '0' }) {
      const parameters = new Parameters();
      const conditions = [`id > ${parameters.add(cursor)}`];
      if (ownerId !== undefined) conditions.push(`owner_id = ${parameters.add(ownerId)}`);
      if (city !== undefined) conditions.push(`city = ${parameters.add(city)}`);
      if (namePart !== undefined) {
        conditions.push(`name ILIKE ${parameters.add(partPattern(namePart))}`);
      }
      return sql.rows<Club>(
        `SELECT ${COLUMNS} FROM club
  WHERE ${conditions.join(' AND ')} ORDER BY id LIMIT ${parameters.add(limit + 1)}`,
        parameters.values,
      );
    },

    async add(ownerId, { name, city, description }) {
      return onlyRow(await sql.rows<Club>(ADD, [ownerId, name, city, description]));
    },

    async get(id) {
      const [club] = await sql.rows<Club>(GET, [id]);
      return club;
    },

    async ownerOf(id) {
      const [club] = await sql.rows<Pick<Club, 'owner_id'>>(OWNER, [id]);
      return club?.owner_id;
    },

    async replace(id, { name, city, description }) {
      const [club] = await sql.rows<Club>(REPLACE, [id, name, city, description]);
      return club;
    },
  };
}
