/** The ratings in the database. */

import { Problem } from './problem.js';
import { requirePlayed } from './reservation_store.js';

const RATE = {
  name: 'rate',
  text: `INSERT INTO rating (reservation_id, facility_id, stars, comment) VALUES ($1, $2, $3, $4)
    ON CONFLICT (reservation_id) DO UPDATE SET stars = EXCLUDED.stars, comment = EXCLUDED.comment
    RETURNING reservation_id, facility_id, stars, comment, created_at, (xmax = 0) AS is_new`,
};
const HAS_FACILITY = { name: 'has-facility', text: 'SELECT 1 FROM facility WHERE id = $1' };
const LIST = {
  name: 'list-ratings',
  text: `SELECT reservation_id, facility_id, stars, comment, created_at FROM rating
    WHERE facility_id = $1 AND reservation_id > $2 ORDER BY reservation_id LIMIT $3`,
};
const SUMMARY = {
  name: 'summary-of-ratings',
  text: `SELECT count(*) AS count, round(avg(stars), 2)::float8 AS average FROM rating
    WHERE facility_id = $1`,
};

const RATED = ['pending', 'accepted'];
const BEFORE_ALL = 0;

export class RatingStore {
  #database;

  constructor(database) {
    this.#database = database;
  }

  /** The rating, with `is_new`. Rejects with a Problem where the reservation is not the player's, or is over. */
  rate(reservation, account, { stars, comment }) {
    return this.#database.transact(async (connection) => {
      const { status, facility_id } = await requirePlayed(connection, reservation, account);
      if (!RATED.includes(status)) throw new Problem('wrong-state');
      const { rows } = await connection.execute(RATE, [reservation, facility_id, stars, comment]);
      return rows[0];
    });
  }

  /**
   * At most `most` ratings of a facility behind the reservation `after`, with `count` and `average` of all. Rejects
   * with a Problem where the facility is not there.
   */
  list(facility, after = BEFORE_ALL, most) {
    return this.#database.read(async (connection) => {
      const { rows: found } = await connection.execute(HAS_FACILITY, [facility]);
      if (found.length === 0) throw new Problem('not-found');
      const { rows } = await connection.execute(LIST, [facility, after, most]);
      const { rows: summaries } = await connection.execute(SUMMARY, [facility]);
      return { rows, ...summaries[0] };
    });
  }
}
