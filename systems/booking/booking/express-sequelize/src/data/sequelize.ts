/**
 * Sequelize on a pool of this service's own: Sequelize's opens connections on demand, and tries none again in the
 * background.
 */

import { BaseError, Sequelize } from 'sequelize';

import type { Connection } from './connection.js';
import { LentConnection } from './lent_connection.js';
import { initAccount } from './models/account.js';
import { initClub } from './models/club.js';
import { initFacility } from './models/facility.js';
import { initKeptRequest } from './models/kept_request.js';
import { initRating } from './models/rating.js';
import { initReservation } from './models/reservation.js';
import type { Pool } from './pool.js';
import { withoutRivals } from './sqlstate.js';

// A COMMIT that fails is told there as well as to the caller, and one answer has one line in the log.
console.warn = () => {};

export function createSequelize(pool: Pool<Connection>): Sequelize {
  const sequelize = new Sequelize({
    dialect: 'postgres',
    logging: false,
    define: { timestamps: false },
  });
  usePool(sequelize, pool);
  tellCauses(sequelize);
  initAccount(sequelize);
  initClub(sequelize);
  initFacility(sequelize);
  initReservation(sequelize);
  initRating(sequelize);
  initKeptRequest(sequelize);
  return sequelize;
}

function usePool({ connectionManager }: Sequelize, pool: Pool<Connection>): void {
  connectionManager.getConnection = async () => new LentConnection(await pool.take());
  connectionManager.releaseConnection = (lent) => {
    pool.give((lent as LentConnection).connection);
  };
  connectionManager.destroyConnection = (lent) => {
    const { connection } = lent as LentConnection;
    connection.giveUp();
    pool.give(connection);
    return Promise.resolve();
  };
}

/** Has every statement fail by what its connection said, and one by itself done once more where a rival ended it. */
function tellCauses(sequelize: Sequelize): void {
  const query = sequelize.query.bind(sequelize) as (...given: unknown[]) => Promise<unknown>;
  const asTold = async (...given: unknown[]) => {
    try {
      return await query(...given);
    } catch (error) {
      throw causeOf(error);
    }
  };
  sequelize.query = ((sql: unknown, options?: { transaction?: unknown }) =>
    options?.transaction
      ? asTold(sql, options)
      : withoutRivals(() => asTold(sql, options))) as typeof sequelize.query;
}

function causeOf(error: unknown): Error {
  if (error instanceof BaseError && 'parent' in error && error.parent instanceof Error) {
    return error.parent;
  }
  return error instanceof Error ? error : new Error(String(error));
}
