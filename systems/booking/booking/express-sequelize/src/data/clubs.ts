/** The clubs in the database. */

import { Op, type Transaction } from 'sequelize';

import type { Clubs } from '../store.js';
import { partPattern } from './like.js';
import { Club } from './models/club.js';

export function clubs(transaction?: Transaction): Clubs {
  return {
    list({ ownerId, city, namePart }, { limit, cursor }) {
      return Club.findAll({
        where: {
          ...(cursor !== undefined && { id: { [Op.gt]: Number(cursor) } }),
          ...(ownerId !== undefined && { owner_id: ownerId }),
          ...(city !== undefined && { city }),
          ...(namePart !== undefined && { name: { [Op.iLike]: partPattern(namePart) } }),
        },
        order: [['id', 'ASC']],
        limit: limit + 1,
        transaction,
      });
    },

    add(owner_id, club) {
      return Club.create({ ...club, owner_id }, { transaction });
    },

    async get(id) {
      return (await Club.findByPk(id, { transaction })) ?? undefined;
    },

    async ownerOf(id) {
      const club = await Club.findByPk(id, { attributes: ['owner_id'], transaction });
      return club?.owner_id;
    },

    async replace(id, club) {
      const [, rows] = await Club.update(club, { where: { id }, returning: true, transaction });
      return rows[0];
    },
  };
}
