/** The table of reservations. */

import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from 'sequelize';

import type { Status } from '../../store.js';
import { Facility } from './facility.js';

export class Reservation extends Model<
  InferAttributes<Reservation>,
  InferCreationAttributes<Reservation>
> {
  declare id: CreationOptional<number>;
  declare facility_id: number;
  declare player_id: number;
  declare starts_at: Date;
  declare ends_at: Date;
  declare status: CreationOptional<Status>;
  declare price_cents: number;
  declare decided_at: CreationOptional<Date | null>;
  declare created_at: CreationOptional<Date>;
  /** Where it is included. */
  declare facility?: NonAttribute<Facility>;
}

/** Needs the table of facilities. */
export function initReservation(sequelize: Sequelize): void {
  Reservation.init(
    {
      id: { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true },
      facility_id: { type: DataTypes.BIGINT, allowNull: false },
      player_id: { type: DataTypes.BIGINT, allowNull: false },
      starts_at: { type: DataTypes.DATE, allowNull: false },
      ends_at: { type: DataTypes.DATE, allowNull: false },
      status: DataTypes.TEXT,
      price_cents: { type: DataTypes.INTEGER, allowNull: false },
      decided_at: DataTypes.DATE,
      created_at: DataTypes.DATE,
    },
    { sequelize, tableName: 'reservation' },
  );
  Reservation.belongsTo(Facility, { as: 'facility', foreignKey: 'facility_id' });
}
