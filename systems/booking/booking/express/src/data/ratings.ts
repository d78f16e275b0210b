/** The table of ratings. */

import type { Rating, RatingSummary, Ratings } from '../store.js';
import type { Statements } from './database.js';
import { onlyRow } from './only_row.js';

const COLUMNS = 'reservation_id, facility_id, stars, comment, created_at';

const PUT = `INSERT INTO rating (reservation_id, facility_id, stars, comment) VALUES ($1, $2, $3, $4)
  ON CONFLICT (reservation_id) DO UPDATE SET stars = EXCLUDED.stars, comment = EXCLUDED.comment
  RETURNING ${COLUMNS}, (xmax = 0) AS is_new`;
const LIST = `SELECT ${COLUMNS} FROM rating
  WHERE facility_id = $1 AND reservation_id > $2 ORDER BY reservation_id LIMIT $3`;
const SUMMARY = `SELECT count(*) AS count, round(avg(stars), 2)::float8 AS average FROM rating
  WHERE facility_id = $1`;

export function ratings(sql: Statements): Ratings {
  return {
    async put(reservationId, facilityId, { stars, comment }) {
      const values = [reservationId, facilityId, stars, comment];
      const rating = onlyRow(await sql.rows<Rating & { is_new: boolean }>(PUT, values));
      return { rating, isNew: rating.is_new };
    },

    list(facilityId, { limit, cursor = '0' }) {
      return sql.rows<Rating>(LIST, [facilityId, cursor, limit + 1]);
    },

    async summary(facilityId) {
      return onlyRow(await sql.rows<RatingSummary>(SUMMARY, [facilityId]));
    },
  };
}
