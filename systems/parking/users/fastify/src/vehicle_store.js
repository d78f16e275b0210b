/** The vehicles of users in the database. */

import { Problem } from './problem.js';
import { ENERGY_SOURCES, VEHICLE_TYPES } from './words.js';

const MOST_VEHICLES = 3;

const LIST = {
  name: 'vehicles',
  text: `SELECT u.id, v.plate, v.type, v.energy FROM app_user u LEFT JOIN vehicle v ON v.user_id = u.id
    WHERE u.id = $1 ORDER BY v.plate`,
};
// It keeps others from adding one meanwhile.
const LOCK = {
  name: 'lock-user',
  text: 'SELECT id FROM app_user WHERE id = $1 FOR NO KEY UPDATE',
};
const TAKEN = {
  name: 'plates',
  text: 'SELECT plate, user_id FROM vehicle WHERE user_id = $1 OR plate = $2',
};
const INSERT = {
  name: 'insert-vehicle',
  text: 'INSERT INTO vehicle (plate, user_id, type, energy) VALUES ($1, $2, $3, $4)',
};
const UPDATE = {
  name: 'update-vehicle',
  text: 'UPDATE vehicle SET type = $2, energy = $3 WHERE plate = $1',
};

/** All rejects with a Problem. */
export class VehicleStore {
  #database;

  constructor(database) {
    this.#database = database;
  }

  async list(userId) {
    const rows = await this.#database.rows(LIST, [userId]);
    if (rows.length === 0) throw new Problem('not-found');
    return rows.filter(({ plate }) => plate !== null).map(vehicleOf);
  }

  /** Whether the vehicle is new. */
  put(userId, vehicle) {
    return this.#database.transact(async (connection) => {
      const { rowCount } = await connection.execute(LOCK, [userId]);
      if (rowCount === 0) throw new Problem('not-found');
      const { licensePlateNumber } = vehicle;
      const { rows: taken } = await connection.execute(TAKEN, [userId, licensePlateNumber]);
      const same = taken.find(({ plate }) => plate === licensePlateNumber);
      if (same !== undefined) {
        if (String(same.user_id) !== userId) throw new Problem('duplicate-plate');
        await connection.execute(UPDATE, [licensePlateNumber, ...placesOf(vehicle)]);
        return false;
      }
      if (taken.length >= MOST_VEHICLES) throw new Problem('vehicle-limit');
      await insertVehicle(connection, userId, vehicle);
      return true;
    });
  }
}

export async function insertVehicle(connection, userId, vehicle) {
  const values = [vehicle.licensePlateNumber, userId, ...placesOf(vehicle)];
  await connection.execute(INSERT, values);
}

export function vehicleOf(row) {
  return {
    licensePlateNumber: row.plate,
    vehicleType: VEHICLE_TYPES[row.type],
    vehicleEnergySource: ENERGY_SOURCES[row.energy],
  };
}

function placesOf({ vehicleType, vehicleEnergySource }) {
  return [VEHICLE_TYPES.indexOf(vehicleType), ENERGY_SOURCES.indexOf(vehicleEnergySource)];
}
