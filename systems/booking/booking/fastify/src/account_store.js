/** The accounts in the database. */

const SIGN_UP = {
  name: 'sign-up',
  text: `INSERT INTO account (email, name, password_hash, role) VALUES ($1, $2, $3, $4)
    ON CONFLICT (email) DO NOTHING RETURNING id, email, name, role, created_at`,
};
const LOG_IN = {
  name: 'log-in',
  text: 'SELECT id, password_hash, role FROM account WHERE email = $1',
};
const ME = {
  name: 'me',
  text: 'SELECT id, email, name, role, created_at FROM account WHERE id = $1',
};

export class AccountStore {
  #database;

  constructor(database) {
    this.#database = database;
  }

  /** The account that was added, or nothing where there is one of the address. */
  add({ email, name, role }, passwordHash) {
    return this.#database.row(SIGN_UP, [email, name, passwordHash, role]);
  }

  /** Id, role and hash of the password of an account, or nothing. */
  byEmail(email) {
    return this.#database.row(LOG_IN, [email]);
  }

  /** The account, or nothing. */
  byId(id) {
    return this.#database.row(ME, [id]);
  }
}
