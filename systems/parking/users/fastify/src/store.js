/** All that is kept in the database, by what it is, over one pool of connections. */

import { CoinStore } from './coin_store.js';
import { openConnection } from './connection.js';
import { Database } from './database.js';
import { Pool } from './pool.js';
import { UserStore } from './user_store.js';
import { VehicleStore } from './vehicle_store.js';

const ASK = { name: 'health', text: 'SELECT 1' };

/** The store of a configuration, which opens its connections in the background. */
export function openStore({ poolSize, ...login }, complaints) {
  const pool = new Pool({
    open: () => openConnection(login),
    size: poolSize,
    onRefusal: () => complaints.say('no connection to the database could be made'),
  });
  return new Store(new Database(pool));
}

/** Each operation rejects with a Problem. */
class Store {
  #database;

  constructor(database) {
    this.#database = database;
    this.users = new UserStore(database);
    this.vehicles = new VehicleStore(database);
    this.coins = new CoinStore(database);
  }

  async ask() {
    await this.#database.rows(ASK, []);
  }

  close() {
    this.#database.close();
  }
}
