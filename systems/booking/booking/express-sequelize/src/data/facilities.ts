/** The facilities in the database. */

import { Op, type Transaction, col, fn, literal } from 'sequelize';

import { minuteOfDay } from '../hours.js';
import type { Instant } from '../instant.js';
import type { Facilities } from '../store.js';
import { Facility } from './models/facility.js';

export function facilities(transaction?: Transaction): Facilities {
  return {
    list({ freeAt, sport, city, clubId }, { limit, cursor }) {
      return Facility.findAll({
        where: {
          retired_at: null,
          ...(cursor !== undefined && { id: { [Op.gt]: Number(cursor) } }),
          ...(sport !== undefined && { sport }),
          ...(clubId !== undefined && { club_id: clubId }),
          ...(freeAt !== undefined && { [Op.and]: [isFree(freeAt)] }),
        },
        ...(city !== undefined && {
          include: [{ association: 'club', attributes: [], where: { city }, required: true }],
        }),
        order: [['id', 'ASC']],
        limit: limit + 1,
        transaction,
      });
    },

    add(club_id, facility) {
      return Facility.create({ ...facility, club_id }, { transaction });
    },

    async get(id) {
      return (await Facility.findByPk(id, { transaction })) ?? undefined;
    },

    async isThere(id) {
      return (await Facility.findByPk(id, { attributes: ['id'], transaction })) !== null;
    },

    async ownerOf(id) {
      const facility = await Facility.findByPk(id, {
        attributes: ['id'],
        include: [{ association: 'club', attributes: ['owner_id'], required: true }],
        transaction,
      });
      return facility?.club?.owner_id;
    },

    async replace(id, facility) {
      const options = { where: { id }, returning: true, transaction } as const;
      const [, rows] = await Facility.update(facility, options);
      return rows[0];
    },

    async retire(id) {
      const retired_at = fn('coalesce', col('retired_at'), fn('now'));
      await Facility.update({ retired_at }, { where: { id }, transaction });
    },
  };
}

/** The condition that a facility has a slot which begins at an instant, and no reservation that lives is in it. */
function isFree(at: Instant) {
  // Both are numbers, so nothing in the text is a caller's.
  const minute = minuteOfDay(at);
  const begin = `to_timestamp(${at.seconds})`;
  return literal(`"Facility"."opens" <= ${minute} AND ${minute} + "Facility"."slot_minutes" <= "Facility"."closes"
    AND (${minute} - "Facility"."opens") % "Facility"."slot_minutes" = 0
    AND NOT EXISTS (SELECT 1 FROM reservation r WHERE r.facility_id = "Facility"."id" AND r.status IN ('pending', 'accepted')
      AND tstzrange(r.starts_at, r.ends_at) && tstzrange(${begin}, ${begin} + "Facility"."slot_minutes" * interval '1 minute'))`);
}
