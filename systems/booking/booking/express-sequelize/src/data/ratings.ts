/** The ratings in the database. */

import { type Attributes, Op, type Transaction, col, fn, literal } from 'sequelize';

import type { RatingSummary, Ratings } from '../store.js';
import { Rating } from './models/rating.js';

// PostgreSQL has it in every table: the transaction that has replaced or locked this row, and 0 of one that is new.
const XMAX = 'xmax';
const RETURNED = ['reservation_id', 'facility_id', 'stars', 'comment', 'created_at', XMAX];

export function ratings(transaction?: Transaction): Ratings {
  return {
    async put(reservation_id, facility_id, { stars, comment }) {
      const [rating] = await Rating.upsert(
        { reservation_id, facility_id, stars, comment },
        {
          conflictFields: ['reservation_id'],
          fields: ['stars', 'comment'],
          returning: RETURNED as (keyof Attributes<Rating>)[],
          transaction,
        },
      );
      const { xmax } = rating.get() as unknown as { xmax: string };
      return { rating, isNew: xmax === '0' };
    },

    list(facility_id, { limit, cursor }) {
      return Rating.findAll({
        where: {
          facility_id,
          ...(cursor !== undefined && { reservation_id: { [Op.gt]: Number(cursor) } }),
        },
        order: [['reservation_id', 'ASC']],
        limit: limit + 1,
        transaction,
      });
    },

    async summary(facility_id) {
      const [summary] = await Rating.findAll({
        attributes: [
          [fn('count', col('*')), 'count'],
          [literal('round(avg("stars"), 2)::float8'), 'average'],
        ],
        where: { facility_id },
        raw: true,
        transaction,
      });
      return summary as unknown as RatingSummary;
    },
  };
}
