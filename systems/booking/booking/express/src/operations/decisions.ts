/** The operations `accept`, `reject` and `cancel`, whose bodies nobody looks at. */

import { Router } from 'express';

import { answer } from '../answer.js';
import { dropBody } from '../body.js';
import { type Guard, callerOf } from '../guard.js';
import { Problem } from '../problem.js';
import { showReservation } from '../shown.js';
import type { Reservation, Store } from '../store.js';
import { found, ownReservation } from './ownership.js';

export function decisions(store: Store, guard: Guard): Router {
  const router = Router();

  router.post('/reservations/:id/accept', guard.owner, dropBody, async (req, res) => {
    const decided = await decide(store, Number(req.params.id), callerOf(res).id, 'accepted');
    answer(res, 200, showReservation(decided));
  });

  router.post('/reservations/:id/reject', guard.owner, dropBody, async (req, res) => {
    const decided = await decide(store, Number(req.params.id), callerOf(res).id, 'rejected');
    answer(res, 200, showReservation(decided));
  });

  router.post('/reservations/:id/cancel', guard.player, dropBody, async (req, res) => {
    const id = Number(req.params.id);
    const cancelled = await store.transaction(async (tables) => {
      await ownReservation(tables, id, callerOf(res).id);
      return moved(await tables.reservations.cancel(id));
    });
    answer(res, 200, showReservation(cancelled));
  });

  return router;
}

function decide(
  store: Store,
  id: number,
  ownerId: number,
  status: 'accepted' | 'rejected',
): Promise<Reservation> {
  return store.transaction(async ({ reservations }) => {
    const { owner_id } = found(await reservations.get(id));
    if (owner_id !== ownerId) throw new Problem('not-found');
    return moved(await reservations.decide(id, status));
  });
}

/** A reservation that has gone from one state to another; whether it could, the database alone knows. */
function moved(reservation: Reservation | undefined): Reservation {
  if (reservation === undefined) throw new Problem('wrong-state');
  return reservation;
}
