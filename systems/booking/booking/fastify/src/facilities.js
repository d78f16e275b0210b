/**
 * The operations on facilities: `list-facilities`, `add-facility`, `get-facility`, `replace-facility`,
 * `retire-facility` and `list-slots`.
 */

import { answering } from './answer.js';
import { newFacility } from './bodies.js';
import { valueOf } from './body.js';
import { slotsOfDay } from './grid.js';
import { DAY_SECONDS, showInstant } from './instant.js';
import { pageOf, readPage } from './page.js';
import { dayOf, facilityFilters } from './query.js';
import { FACILITY, SLOTS, pageSchema } from './schemas.js';

const ALL = '/facilities';
const ONE = '/facilities/:id';
const OF_CLUB = '/clubs/:id/facilities';
const SLOTS_OF_ONE = '/facilities/:id/slots';

const CREATED = 201;
const NO_CONTENT = 204;

/** Needs the plugins `answer` and `authentication`. */
export async function facilities(app, { store }) {
  app.get(ALL, {
    schema: answering(pageSchema(FACILITY)),
    handler: async ({ query }, reply) => {
      const { limit, after } = readPage(query);
      const rows = await store.facilities.list(facilityFilters(query), after, limit + 1);
      return reply.answer(pageOf(rows, limit));
    },
  });

  app.post(OF_CLUB, {
    schema: answering(FACILITY, CREATED),
    config: { role: 'owner' },
    handler: async (request, reply) => {
      const { params, account } = request;
      const wanted = newFacility(valueOf(request));
      const facility = await store.facilities.add(params.id, account, wanted);
      return reply.header('location', `${ALL}/${facility.id}`).answer(facility, CREATED);
    },
  });

  app.get(ONE, {
    schema: answering(FACILITY),
    handler: async ({ params }, reply) => reply.answer(await store.facilities.get(params.id)),
  });

  app.put(ONE, {
    schema: answering(FACILITY),
    config: { role: 'owner' },
    handler: async (request, reply) => {
      const { params, account } = request;
      const wanted = newFacility(valueOf(request));
      return reply.answer(await store.facilities.replace(params.id, account, wanted));
    },
  });

  app.delete(ONE, {
    config: { role: 'owner' },
    handler: async ({ params, account }, reply) => {
      await store.facilities.retire(params.id, account);
      return reply.code(NO_CONTENT).send();
    },
  });

  app.get(SLOTS_OF_ONE, {
    schema: answering(SLOTS),
    handler: async ({ params, query }, reply) => {
      const { date, midnight } = dayOf(query);
      const [from, to] = [midnight, midnight + DAY_SECONDS].map(showInstant);
      const { facility, taken } = await store.facilities.day(params.id, from, to);
      return reply.answer({ date, slots: slotsOfDay(facility, midnight, taken) });
    },
  });
}
