/** The table of clubs. */

import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

export class Club extends Model<InferAttributes<Club>, InferCreationAttributes<Club>> {
  declare id: CreationOptional<number>;
  declare owner_id: number;
  declare name: string;
  declare city: string;
  declare description: string;
  declare created_at: CreationOptional<Date>;
}

export function initClub(sequelize: Sequelize): void {
  Club.init(
    {
      id: { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true },
      owner_id: { type: DataTypes.BIGINT, allowNull: false },
      name: { type: DataTypes.TEXT, allowNull: false },
      city: { type: DataTypes.TEXT, allowNull: false },
      description: { type: DataTypes.TEXT, allowNull: false },
      created_at: DataTypes.DATE,
    },
    { sequelize, tableName: 'club' },
  );
}
