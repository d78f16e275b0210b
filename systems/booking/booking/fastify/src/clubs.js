/** The operations on clubs alone: `list-clubs`, `create-club`, `get-club` and `replace-club`. */

import { answering } from './answer.js';
import { newClub } from './bodies.js';
import { valueOf } from './body.js';
import { pageOf, readPage } from './page.js';
import { Problem } from './problem.js';
import { clubFilters } from './query.js';
import { CLUB, pageSchema } from './schemas.js';

const ALL = '/clubs';
const ONE = '/clubs/:id';

const CREATED = 201;

/** Needs the plugins `answer` and `authentication`. */
export async function clubs(app, { store }) {
  app.get(ALL, {
    schema: answering(pageSchema(CLUB)),
    handler: async ({ query, account }, reply) => {
      const { limit, after } = readPage(query);
      const rows = await store.clubs.list(clubFilters(query, account), after, limit + 1);
      return reply.answer(pageOf(rows, limit));
    },
  });

  app.post(ALL, {
    schema: answering(CLUB, CREATED),
    config: { role: 'owner' },
    handler: async (request, reply) => {
      const club = await store.clubs.add(request.account, newClub(valueOf(request)));
      return reply.header('location', `${ALL}/${club.id}`).answer(club, CREATED);
    },
  });

  app.get(ONE, {
    schema: answering(CLUB),
    handler: async ({ params }, reply) => {
      const club = await store.clubs.get(params.id);
      if (club === undefined) throw new Problem('not-found');
      return reply.answer(club);
    },
  });

  app.put(ONE, {
    schema: answering(CLUB),
    config: { role: 'owner' },
    handler: async (request, reply) => {
      const { params, account } = request;
      return reply.answer(await store.clubs.replace(params.id, account, newClub(valueOf(request))));
    },
  });
}
