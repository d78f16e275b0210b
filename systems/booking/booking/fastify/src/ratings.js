/** The operations `rate` and `list-ratings`. */

import { answering } from './answer.js';
import { newRating } from './bodies.js';
import { valueOf } from './body.js';
import { pageOf, readPage } from './page.js';
import { RATING, RATINGS } from './schemas.js';

const OK = 200;
const CREATED = 201;

/** Needs the plugins `answer` and `authentication`. */
export async function ratings(app, { store }) {
  app.put('/reservations/:id/rating', {
    schema: answering(RATING, OK, CREATED),
    config: { role: 'player' },
    handler: async (request, reply) => {
      const { params, account } = request;
      const rating = await store.ratings.rate(params.id, account, newRating(valueOf(request)));
      return reply.answer(rating, rating.is_new ? CREATED : OK);
    },
  });

  app.get('/facilities/:id/ratings', {
    schema: answering(RATINGS),
    handler: async ({ params, query }, reply) => {
      const { limit, after } = readPage(query);
      const { rows, count, average } = await store.ratings.list(params.id, after, limit + 1);
      return reply.answer({ ...pageOf(rows, limit, 'reservation_id'), count, average });
    },
  });
}
