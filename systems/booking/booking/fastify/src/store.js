/** All that is kept in the database, by what it is, over one pool of connections. */

import { AccountStore } from './account_store.js';
import { ClubStore } from './club_store.js';
import { openConnection } from './connection.js';
import { Database } from './database.js';
import { FacilityStore } from './facility_store.js';
import { Pool } from './pool.js';
import { RatingStore } from './rating_store.js';
import { ReservationStore } from './reservation_store.js';

const ASK = { name: 'ready', text: 'SELECT 1' };

/** The store of a configuration, which opens its connections in the background. */
export function openStore({ poolSize, poolWaitMs, ...login }) {
  const pool = new Pool({ open: () => openConnection(login), size: poolSize, waitMs: poolWaitMs });
  return new Store(new Database(pool));
}

/** Each operation rejects with a Problem, or with an error of the database. */
class Store {
  #database;

  constructor(database) {
    this.#database = database;
    this.accounts = new AccountStore(database);
    this.clubs = new ClubStore(database);
    this.facilities = new FacilityStore(database);
    this.reservations = new ReservationStore(database);
    this.ratings = new RatingStore(database);
  }

  async ask() {
    await this.#database.rows(ASK, []);
  }

  close() {
    this.#database.close();
  }
}
