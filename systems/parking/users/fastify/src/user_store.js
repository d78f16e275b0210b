/** The users in the database, with their vehicles and the ways in which they pay. */

import { Problem } from './problem.js';
import { insertVehicle, vehicleOf } from './vehicle_store.js';
import { CUSTOMER, ENABLED, PAYMENT_METHODS, ROLES, USER_STATUSES } from './words.js';

const COLUMNS = `u.id, u.first_name, u.last_name, u.email, u.nif, u.coins, u.role, u.payment_method, u.status,
  v.plate, v.type, v.energy`;

const INSERT = {
  name: 'insert-user',
  text: `INSERT INTO app_user (first_name, last_name, email, password_hash, nif, role, payment_method, status)
    VALUES ($1, $2, $3, $4, $5, 1, $6, 0) RETURNING id`,
};
const LOGIN = {
  name: 'login',
  text: `SELECT id, first_name, last_name, password_hash, role, status FROM app_user
    WHERE lower(email) = lower($1)`,
};
const LIST = {
  name: 'list-users',
  text: `SELECT ${COLUMNS} FROM app_user u LEFT JOIN vehicle v ON v.user_id = u.id ORDER BY u.id, v.plate`,
};
const GET = {
  name: 'get-user',
  text: `SELECT ${COLUMNS} FROM app_user u LEFT JOIN vehicle v ON v.user_id = u.id
    WHERE u.id = $1 ORDER BY v.plate`,
};
const SET_STATUS = {
  name: 'set-status',
  text: 'UPDATE app_user SET status = $2 WHERE id = $1',
};
const PAYMENT_METHOD = {
  name: 'payment-method',
  text: 'SELECT payment_method FROM app_user WHERE id = $1',
};
const SET_PAYMENT_METHOD = {
  name: 'set-payment-method',
  text: 'UPDATE app_user SET payment_method = $2 WHERE id = $1',
};

/** All rejects with a Problem, also where there is no such user. */
export class UserStore {
  #database;

  constructor(database) {
    this.#database = database;
  }

  /** The user who was made: a customer, enabled, without coins. */
  add(asked, hash) {
    const { firstName, lastName, email, nif, paymentMethod } = asked;
    const { licensePlateNumber, vehicleType, vehicleEnergySource } = asked;
    const vehicle = { licensePlateNumber, vehicleType, vehicleEnergySource };
    const place = PAYMENT_METHODS.indexOf(paymentMethod);
    const values = [firstName, lastName, email, hash, nif, place];
    return this.#database.transact(async (connection) => {
      const { rows } = await connection.execute(INSERT, values);
      const [{ id }] = rows;
      await insertVehicle(connection, id, vehicle);
      return {
        ...{ id, firstName, lastName, email, nif, parkingHistory: [], totalParkies: 0 },
        ...{ vehicles: [vehicle], role: CUSTOMER, paymentMethod, userStatus: ENABLED },
      };
    });
  }

  /** Whom an e-mail address logs in, in any case of letters, or nothing. */
  async byEmail(email) {
    const [row] = await this.#database.rows(LOGIN, [email]);
    if (row === undefined) return undefined;
    return {
      id: row.id,
      name: nameOf(row),
      hash: row.password_hash,
      role: ROLES[row.role],
      isEnabled: USER_STATUSES[row.status] === ENABLED,
    };
  }

  async list() {
    return usersIn(await this.#database.rows(LIST, []));
  }

  async get(id) {
    return firstOf(await this.#database.rows(GET, [id]));
  }

  /** The user, as changed. */
  setStatus(id, status) {
    return this.#database.transact(async (connection) => {
      const place = USER_STATUSES.indexOf(status);
      const { rowCount } = await connection.execute(SET_STATUS, [id, place]);
      if (rowCount === 0) throw new Problem('not-found');
      const { rows } = await connection.execute(GET, [id]);
      return firstOf(rows);
    });
  }

  async paymentMethod(id) {
    const [row] = await this.#database.rows(PAYMENT_METHOD, [id]);
    if (row === undefined) throw new Problem('not-found');
    return PAYMENT_METHODS[row.payment_method];
  }

  async setPaymentMethod(id, method) {
    const values = [id, PAYMENT_METHODS.indexOf(method)];
    const changed = await this.#database.change(SET_PAYMENT_METHOD, values);
    if (changed === 0) throw new Problem('not-found');
  }
}

/** First name, blank, last name. */
export function nameOf(row) {
  return `${row.first_name} ${row.last_name}`;
}

function firstOf(rows) {
  const [user] = usersIn(rows);
  if (user === undefined) throw new Problem('not-found');
  return user;
}

/** The users of rows, of which each has one of a user's vehicles, or none; those of a user stand together. */
export function usersIn(rows) {
  const users = [];
  let last;
  for (const row of rows) {
    if (last?.id !== row.id) {
      last = userOf(row);
      users.push(last);
    }
    if (row.plate !== null) last.vehicles.push(vehicleOf(row));
  }
  return users;
}

function userOf(row) {
  return {
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    nif: row.nif,
    parkingHistory: [],
    totalParkies: row.coins,
    vehicles: [],
    role: ROLES[row.role],
    paymentMethod: PAYMENT_METHODS[row.payment_method],
    userStatus: USER_STATUSES[row.status],
  };
}
