/** The table of facilities. */

import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from 'sequelize';

import type { Sport } from '../../store.js';
import { Club } from './club.js';

export class Facility extends Model<InferAttributes<Facility>, InferCreationAttributes<Facility>> {
  declare id: CreationOptional<number>;
  declare club_id: number;
  declare name: string;
  declare sport: Sport;
  declare slot_minutes: number;
  declare opens: number;
  declare closes: number;
  declare price_cents: number;
  declare retired_at: CreationOptional<Date | null>;
  declare created_at: CreationOptional<Date>;
  /** Where it is included. */
  declare club?: NonAttribute<Club>;
}

/** Needs the table of clubs. */
export function initFacility(sequelize: Sequelize): void {
  Facility.init(
    {
      id: { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true },
      club_id: { type: DataTypes.BIGINT, allowNull: false },
      name: { type: DataTypes.TEXT, allowNull: false },
      sport: { type: DataTypes.TEXT, allowNull: false },
      slot_minutes: { type: DataTypes.SMALLINT, allowNull: false },
      opens: { type: DataTypes.SMALLINT, allowNull: false },
      closes: { type: DataTypes.SMALLINT, allowNull: false },
      price_cents: { type: DataTypes.INTEGER, allowNull: false },
      retired_at: DataTypes.DATE,
      created_at: DataTypes.DATE,
    },
    { sequelize, tableName: 'facility' },
  );
  Facility.belongsTo(Club, { as: 'club', foreignKey: 'club_id' });
}
