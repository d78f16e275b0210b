/** The table of the keys of requests that may be sent again. */

import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

export class KeptRequest extends Model<
  InferAttributes<KeptRequest>,
  InferCreationAttributes<KeptRequest>
> {
  declare account_id: number;
  declare key: string;
  declare fingerprint: Buffer;
  declare body: CreationOptional<string | null>;
}

export function initKeptRequest(sequelize: Sequelize): void {
  KeptRequest.init(
    {
      account_id: { type: DataTypes.BIGINT, primaryKey: true },
      key: { type: DataTypes.TEXT, primaryKey: true },
      fingerprint: { type: DataTypes.BLOB, allowNull: false },
      body: DataTypes.TEXT,
    },
    { sequelize, tableName: 'idempotency' },
  );
}
