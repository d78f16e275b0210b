/** The store in PostgreSQL, by Sequelize. */

import type { Transaction } from 'sequelize';

import type { DatabaseConfig } from '../config.js';
import type { Store, Tables } from '../store.js';
import { accounts } from './accounts.js';
import { clubs } from './clubs.js';
import { openConnection } from './connection.js';
import { facilities } from './facilities.js';
import { keys } from './keys.js';
import { Pool } from './pool.js';
import { ratings } from './ratings.js';
import { reservations } from './reservations.js';
import { createSequelize } from './sequelize.js';
import { withoutRivals } from './sqlstate.js';

/** Its connections are opened in the background. */
export function openStore(config: DatabaseConfig): Store {
  const { poolSize: size, poolWaitMs: waitMs } = config;
  const pool = new Pool({ open: () => openConnection(config), size, waitMs });
  const sequelize = createSequelize(pool);
  return {
    ...tablesOf(),
    transaction: (work) =>
      withoutRivals(() => sequelize.transaction((transaction) => work(tablesOf(transaction)))),
    ask: () => sequelize.authenticate(),
    close() {
      pool.close();
    },
  };
}

/** Without a transaction each statement is by itself. */
function tablesOf(transaction?: Transaction): Tables {
  return {
    accounts: accounts(transaction),
    clubs: clubs(transaction),
    facilities: facilities(transaction),
    reservations: reservations(transaction),
    ratings: ratings(transaction),
    keys: keys(transaction),
  };
}
