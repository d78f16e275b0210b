/** The reservations in the database. */

import { type Includeable, Op, type Transaction, fn, literal } from 'sequelize';

import type { PageRequest } from '../page.js';
import type { ReservationFilter, Reservations, Status } from '../store.js';
import { Reservation } from './models/reservation.js';
import { unlessTaken } from './unless_taken.js';

const LIVE: Status[] = ['pending', 'accepted'];

export function reservations(transaction?: Transaction): Reservations {
  return {
    add(reservation) {
      const options = { ignoreDuplicates: true, transaction };
      return unlessTaken(Reservation.create(reservation, options));
    },

    async get(id) {
      const options = { include: withOwner(), transaction };
      const reservation = await Reservation.findByPk(id, options);
      const owner_id = reservation?.facility?.club?.owner_id;
      if (reservation === null || owner_id === undefined) return undefined;
      return { ...reservation.get(), owner_id };
    },

    ofPlayer(player_id, filter, page) {
      return Reservation.findAll({
        where: { ...conditions(filter, page), player_id },
        ...order(page),
        transaction,
      });
    },

    ofOwner(owner_id, filter, page) {
      return Reservation.findAll({
        where: conditions(filter, page),
        include: inClubsOf(owner_id),
        ...order(page),
        transaction,
      });
    },

    async decide(id, status) {
      const where = { id, status: 'pending' } as const;
      const options = { where, returning: true, transaction } as const;
      const [, rows] = await Reservation.update({ status, decided_at: fn('now') }, options);
      return rows[0];
    },

    async cancel(id) {
      const where = { id, status: { [Op.in]: LIVE } };
      const options = { where, returning: true, transaction } as const;
      const [, rows] = await Reservation.update({ status: 'cancelled' }, options);
      return rows[0];
    },

    taken(facility_id, from, to) {
      return Reservation.findAll({
        attributes: ['starts_at', 'ends_at'],
        where: { facility_id, status: { [Op.in]: LIVE }, [Op.and]: [overlaps(from, to)] },
        order: [['starts_at', 'ASC']],
        transaction,
      });
    },
  };
}

/** The owner of the club, beside the reservation. */
function withOwner(): Includeable[] {
  const club = { association: 'club', attributes: ['id', 'owner_id'], required: true };
  return [{ association: 'facility', attributes: ['id'], required: true, include: [club] }];
}

/** Those alone that are of an owner's clubs. */
function inClubsOf(owner_id: number): Includeable[] {
  const club = { association: 'club', attributes: [], where: { owner_id }, required: true };
  return [{ association: 'facility', attributes: [], required: true, include: [club] }];
}

function conditions({ facilityId, status }: ReservationFilter, { cursor }: PageRequest) {
  return {
    ...(cursor !== undefined && { id: { [Op.lt]: Number(cursor) } }),
    ...(facilityId !== undefined && { facility_id: facilityId }),
    ...(status !== undefined && { status }),
  };
}

/** From the newest on. */
function order({ limit }: PageRequest) {
  return { order: [['id', 'DESC']] as [string, string][], limit: limit + 1 };
}

/** As the index has it. */
function overlaps(from: Date, to: Date) {
  // Both are numbers, so nothing in the text is a caller's.
  const [begin, end] = [from.getTime() / 1000, to.getTime() / 1000];
  return literal(
    `tstzrange("Reservation"."starts_at", "Reservation"."ends_at") && tstzrange(to_timestamp(${begin}), to_timestamp(${end}))`,
  );
}
