/** The table of accounts. */

import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

import type { Role } from '../../store.js';

export class Account extends Model<InferAttributes<Account>, InferCreationAttributes<Account>> {
  declare id: CreationOptional<number>;
  declare email: string;
  declare name: string;
  declare password_hash: string;
  declare role: Role;
  declare created_at: CreationOptional<Date>;
}

export function initAccount(sequelize: Sequelize): void {
  Account.init(
    {
      id: { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true },
      email: { type: DataTypes.TEXT, allowNull: false, unique: true },
      name: { type: DataTypes.TEXT, allowNull: false },
      password_hash: { type: DataTypes.TEXT, allowNull: false },
      role: { type: DataTypes.TEXT, allowNull: false },
      created_at: DataTypes.DATE,
    },
    { sequelize, tableName: 'account' },
  );
}
