/** The table of ratings. */

import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

export class Rating extends Model<InferAttributes<Rating>, InferCreationAttributes<Rating>> {
  declare reservation_id: number;
  declare facility_id: number;
  declare stars: number;
  declare comment: string;
  declare created_at: CreationOptional<Date>;
}

export function initRating(sequelize: Sequelize): void {
  Rating.init(
    {
      reservation_id: { type: DataTypes.BIGINT, primaryKey: true },
      facility_id: { type: DataTypes.BIGINT, allowNull: false },
      stars: { type: DataTypes.SMALLINT, allowNull: false },
      comment: { type: DataTypes.TEXT, allowNull: false },
      created_at: DataTypes.DATE,
    },
    { sequelize, tableName: 'rating' },
  );
}
