/** The clubs in the database. */

import { Listing } from './listing.js';
import { requireOwner } from './ownership.js';

const LIST = new Listing({
  name: 'list-clubs',
  head: 'SELECT id, owner_id, name, city, description, created_at FROM club WHERE id > $1',
  conditions: {
    owner: (n) => `owner_id = ${n}`,
    city: (n) => `city = ${n}`,
    name: (n) => `name ILIKE ${n}`,
  },
  order: 'id',
});
const CREATE = {
  name: 'create-club',
  text: `INSERT INTO club (owner_id, name, city, description) VALUES ($1, $2, $3, $4)
    RETURNING id, owner_id, name, city, description, created_at`,
};
const GET = {
  name: 'get-club',
  text: 'SELECT id, owner_id, name, city, description, created_at FROM club WHERE id = $1',
};
export const OWNER_OF_CLUB = {
  name: 'owner-of-club',
  text: 'SELECT owner_id FROM club WHERE id = $1',
};
const REPLACE = {
  name: 'replace-club',
  text: `UPDATE club SET name = $2, city = $3, description = $4 WHERE id = $1
    RETURNING id, owner_id, name, city, description, created_at`,
};

const BEFORE_ALL = 0;

export class ClubStore {
  #database;

  constructor(database) {
    this.#database = database;
  }

  /** At most `most` clubs behind the id `after`. */
  list(filters, after = BEFORE_ALL, most) {
    const { statement, values } = LIST.query([after], filters, most);
    return this.#database.rows(statement, values);
  }

  /** The club that was added. */
  add(account, { name, city, description }) {
    return this.#database.row(CREATE, [account.id, name, city, description]);
  }

  /** The club, or nothing. */
  get(id) {
    return this.#database.row(GET, [id]);
  }

  /** The club as it is then. Rejects with a Problem where it is not there, or not the account's. */
  replace(id, account, { name, city, description }) {
    return this.#database.transact(async (connection) => {
      await requireOwner(connection, OWNER_OF_CLUB, id, account);
      const { rows } = await connection.execute(REPLACE, [id, name, city, description]);
      return rows[0];
    });
  }
}
