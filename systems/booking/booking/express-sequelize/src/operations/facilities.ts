/** The operations on facilities, and `list-slots` of one. */

import { Router } from 'express';

import { answer, answerCreated } from '../answer.js';
import { facilityBody } from '../bodies.js';
import { readJson } from '../body.js';
import { type Guard, callerOf } from '../guard.js';
import { slotsOf } from '../hours.js';
import { DAY_SECONDS, type Instant, dateOf, readDay } from '../instant.js';
import { valid } from '../members.js';
import { readPage, showPage } from '../page.js';
import { Problem } from '../problem.js';
import {
  type Query,
  readFlag,
  readId,
  readParameter,
  readText,
  readTime,
  readWord,
} from '../query.js';
import { showFacility } from '../shown.js';
import { SPORTS, type Store } from '../store.js';
import { found, refuseOthers } from './ownership.js';

const LONGEST_CITY = 100;

export function facilities(store: Store, guard: Guard): Router {
  const router = Router();

  router.get('/facilities', guard.anyAccount, async (req, res) => {
    const { query } = req;
    const page = readPage(query);
    const filter = {
      freeAt: readFreeAt(query),
      sport: readWord(query, 'sport', SPORTS),
      city: readText(query, 'city', LONGEST_CITY),
      clubId: readId(query, 'club_id'),
    };
    const rows = await store.facilities.list(filter, page);
    answer(
      res,
      200,
      showPage(rows, page, ({ id }) => id, showFacility),
    );
  });

  router.post('/clubs/:id/facilities', guard.owner, readJson, async (req, res) => {
    const clubId = Number(req.params.id);
    const values = valid(facilityBody, req.body);
    const facility = await store.transaction(async (tables) => {
      refuseOthers(await tables.clubs.ownerOf(clubId), callerOf(res).id);
      return tables.facilities.add(clubId, values);
    });
    answerCreated(res, `/facilities/${facility.id}`, showFacility(facility));
  });

  router.get('/facilities/:id', guard.anyAccount, async (req, res) => {
    const facility = found(await store.facilities.get(Number(req.params.id)));
    answer(res, 200, showFacility(facility));
  });

  router.put('/facilities/:id', guard.owner, readJson, async (req, res) => {
    const id = Number(req.params.id);
    const values = valid(facilityBody, req.body);
    const facility = await store.transaction(async ({ facilities: table }) => {
      refuseOthers(await table.ownerOf(id), callerOf(res).id);
      return found(await table.replace(id, values));
    });
    answer(res, 200, showFacility(facility));
  });

  router.delete('/facilities/:id', guard.owner, async (req, res) => {
    const id = Number(req.params.id);
    await store.transaction(async ({ facilities: table }) => {
      refuseOthers(await table.ownerOf(id), callerOf(res).id);
      await table.retire(id);
    });
    res.status(204).end();
  });

  router.get('/facilities/:id/slots', guard.anyAccount, async (req, res) => {
    const date = readParameter(req.query, 'date') ?? '';
    const midnight = readDay(date);
    if (midnight === undefined) throw new Problem('malformed');
    const facility = found(await store.facilities.get(Number(req.params.id)));
    const next = dateOf(midnight + DAY_SECONDS);
    const taken = await store.reservations.taken(facility.id, dateOf(midnight), next);
    const isRetired = facility.retired_at !== null;
    answer(res, 200, { date, slots: slotsOf(facility, midnight, taken, isRetired) });
  });

  return router;
}

/** The instant at which facilities must be free, where that is asked for. A wrong one is refused in any case. */
function readFreeAt(query: Query): Instant | undefined {
  const at = readTime(query, 'at');
  if (!readFlag(query, 'available')) return undefined;
  if (at === undefined) throw new Problem('malformed');
  return at;
}
