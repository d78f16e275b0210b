/** The table of accounts. */

import type { Account, Accounts, Credentials } from '../store.js';
import type { Statements } from './database.js';

const ADD = `INSERT INTO account (email, name, password_hash, role) VALUES ($1, $2, $3, $4)
  ON CONFLICT (email) DO NOTHING RETURNING id, email, name, role, created_at`;
const CREDENTIALS = 'SELECT id, password_hash, role FROM account WHERE email = $1';
const GET = 'SELECT id, email, name, role, created_at FROM account WHERE id = $1';

export function accounts(sql: Statements): Accounts {
  return {
    async add({ email, name, password_hash, role }) {
      const [account] = await sql.rows<Account>(ADD, [email, name, password_hash, role]);
      return account;
    },

    async credentials(email) {
      const [credentials] = await sql.rows<Credentials>(CREDENTIALS, [email]);
      return credentials;
    },

    async get(id) {
      const [account] = await sql.rows<Account>(GET, [id]);
      return account;
    },
  };
}
