/** The operations `reserve`, `get-reservation` and `list-reservations`. */

import { type Request, Router } from 'express';

import { answer, answerText } from '../answer.js';
import { reservationBody } from '../bodies.js';
import { readJson } from '../body.js';
import { type Guard, callerOf } from '../guard.js';
import { valid } from '../members.js';
import { readPage, showPage } from '../page.js';
import { Problem } from '../problem.js';
import { readId, readWord } from '../query.js';
import { showReservation } from '../shown.js';
import { STATUSES, type Store } from '../store.js';
import { found } from './ownership.js';
import { reserve } from './reserve.js';

const KEY = /^[!-~]{1,64}$/;

/** `now` is a clock in milliseconds. */
export function reservations(store: Store, guard: Guard, now: () => number): Router {
  const router = Router();
  const body = reservationBody(now);

  router.post('/reservations', guard.player, readJson, async (req, res) => {
    const key = readKey(req);
    const wish = valid(body, req.body);
    const player = callerOf(res).id;
    const { text, isReplayed } = await store.transaction((tables) =>
      reserve(tables, player, wish, key),
    );
    const { id } = JSON.parse(text) as { id: number };
    res.setHeader('Location', `/reservations/${id}`);
    if (isReplayed) res.setHeader('Idempotency-Replayed', 'true');
    answerText(res, 201, text);
  });

  router.get('/reservations', guard.anyAccount, async (req, res) => {
    const { query } = req;
    const { id: caller, role } = callerOf(res);
    const page = readPage(query);
    const filter = {
      facilityId: readId(query, 'facility_id'),
      status: readWord(query, 'status', STATUSES),
    };
    const rows =
      role === 'player'
        ? await store.reservations.ofPlayer(caller, filter, page)
        : await store.reservations.ofOwner(caller, filter, page);
    answer(
      res,
      200,
      showPage(rows, page, ({ id }) => id, showReservation),
    );
  });

  router.get('/reservations/:id', guard.anyAccount, async (req, res) => {
    const { id: caller, role } = callerOf(res);
    const reservation = found(await store.reservations.get(Number(req.params.id)));
    const { player_id, owner_id } = reservation;
    if (caller !== (role === 'player' ? player_id : owner_id)) throw new Problem('not-found');
    answer(res, 200, showReservation(reservation));
  });

  return router;
}

/** The key of a request that may be sent again, where it has one. */
function readKey(req: Request): string | undefined {
  const key = req.get('Idempotency-Key');
  if (key !== undefined && !KEY.test(key)) throw new Problem('malformed');
  return key;
}
