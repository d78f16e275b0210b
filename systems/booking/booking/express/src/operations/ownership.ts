/** What is there for a caller, and what it may change. */

import { Problem } from '../problem.js';
import type { OwnedReservation, Tables } from '../store.js';

/** What was looked for, or the answer that it is not there. */
export function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Problem('not-found');
  return row;
}

/** Refuses a thing that is not there, or whose club is another owner's. */
export function refuseOthers(ownerId: number | undefined, callerId: number): void {
  if (found(ownerId) !== callerId) throw new Problem('forbidden');
}

/** A reservation of the player; those of others are not there for it. */
export async function ownReservation(
  { reservations }: Tables,
  id: number,
  playerId: number,
): Promise<OwnedReservation> {
  const reservation = found(await reservations.get(id));
  if (reservation.player_id !== playerId) throw new Problem('not-found');
  return reservation;
}
