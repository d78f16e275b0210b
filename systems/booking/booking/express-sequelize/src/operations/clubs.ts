/** The operations on clubs: `list-clubs`, `create-club`, `get-club` and `replace-club`. */

import { Router } from 'express';

import { answer, answerCreated } from '../answer.js';
import { clubBody } from '../bodies.js';
import { readJson } from '../body.js';
import { type Guard, callerOf } from '../guard.js';
import { valid } from '../members.js';
import { readPage, showPage } from '../page.js';
import { readFlag, readText } from '../query.js';
import { showClub } from '../shown.js';
import type { Store } from '../store.js';
import { found, refuseOthers } from './ownership.js';

const LONGEST_CITY = 100;
const LONGEST_NAME_PART = 50;

export function clubs(store: Store, guard: Guard): Router {
  const router = Router();

  router.get('/clubs', guard.anyAccount, async (req, res) => {
    const { query } = req;
    const page = readPage(query);
    const filter = {
      ownerId: readFlag(query, 'mine') ? callerOf(res).id : undefined,
      city: readText(query, 'city', LONGEST_CITY),
      namePart: readText(query, 'q', LONGEST_NAME_PART),
    };
    const rows = await store.clubs.list(filter, page);
    answer(
      res,
      200,
      showPage(rows, page, ({ id }) => id, showClub),
    );
  });

  router.post('/clubs', guard.owner, readJson, async (req, res) => {
    const club = await store.clubs.add(callerOf(res).id, valid(clubBody, req.body));
    answerCreated(res, `/clubs/${club.id}`, showClub(club));
  });

  router.get('/clubs/:id', guard.anyAccount, async (req, res) => {
    const club = found(await store.clubs.get(Number(req.params.id)));
    answer(res, 200, showClub(club));
  });

  router.put('/clubs/:id', guard.owner, readJson, async (req, res) => {
    const id = Number(req.params.id);
    const values = valid(clubBody, req.body);
    const club = await store.transaction(async ({ clubs: table }) => {
      refuseOthers(await table.ownerOf(id), callerOf(res).id);
      return found(await table.replace(id, values));
    });
    answer(res, 200, showClub(club));
  });

  return router;
}
