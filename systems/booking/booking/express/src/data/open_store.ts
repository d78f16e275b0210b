/** The store in PostgreSQL, by pg. */

import type { DatabaseConfig } from '../config.js';
import type { Store, Tables } from '../store.js';
import { accounts } from './accounts.js';
import { clubs } from './clubs.js';
import { openConnection } from './connection.js';
import { type Statements, inTransaction, statementsOf } from './database.js';
import { facilities } from './facilities.js';
import { keys } from './keys.js';
import { Pool } from './pool.js';
import { ratings } from './ratings.js';
import { reservations } from './reservations.js';

/** Its connections are opened in the background. */
export function openStore(config: DatabaseConfig): Store {
  const { poolSize: size, poolWaitMs: waitMs } = config;
  const pool = new Pool({ open: () => openConnection(config), size, waitMs });
  const statements = statementsOf(pool);
  return {
    ...tablesOf(statements),
    transaction: (work) => inTransaction(pool, (all) => work(tablesOf(all))),
    async ask() {
      await statements.rows('SELECT 1');
    },
    close() {
      pool.close();
    },
  };
}

function tablesOf(sql: Statements): Tables {
  return {
    accounts: accounts(sql),
    clubs: clubs(sql),
    facilities: facilities(sql),
    reservations: reservations(sql),
    ratings: ratings(sql),
    keys: keys(sql),
  };
}
