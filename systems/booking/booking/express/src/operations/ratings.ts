/** The operations `rate` and `list-ratings`. */

import { Router } from 'express';

import { answer } from '../answer.js';
import { ratingBody } from '../bodies.js';
import { readJson } from '../body.js';
import { type Guard, callerOf } from '../guard.js';
import { valid } from '../members.js';
import { readPage, showPage } from '../page.js';
import { Problem } from '../problem.js';
import { showRating } from '../shown.js';
import type { Status, Store } from '../store.js';
import { ownReservation } from './ownership.js';

const RATED: readonly Status[] = ['pending', 'accepted'];

export function ratings(store: Store, guard: Guard): Router {
  const router = Router();

  router.put('/reservations/:id/rating', guard.player, readJson, async (req, res) => {
    const id = Number(req.params.id);
    const values = valid(ratingBody, req.body);
    const { rating, isNew } = await store.transaction(async (tables) => {
      const { facility_id, status } = await ownReservation(tables, id, callerOf(res).id);
      if (!RATED.includes(status)) throw new Problem('wrong-state');
      return tables.ratings.put(id, facility_id, values);
    });
    answer(res, isNew ? 201 : 200, showRating(rating));
  });

  router.get('/facilities/:id/ratings', guard.anyAccount, async (req, res) => {
    const id = Number(req.params.id);
    const page = readPage(req.query);
    if (!(await store.facilities.isThere(id))) throw new Problem('not-found');
    const rows = await store.ratings.list(id, page);
    const { count, average } = await store.ratings.summary(id);
    const shown = showPage(rows, page, ({ reservation_id }) => reservation_id, showRating);
    answer(res, 200, { ...shown, count, average });
  });

  return router;
}
