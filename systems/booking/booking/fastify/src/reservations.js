/** The operations `reserve`, `get-reservation` and `list-reservations`. */

import { answering } from './answer.js';
import { newReservation } from './bodies.js';
import { valueOf } from './body.js';
import { readKey } from './idempotency.js';
import { pageOf, readPage } from './page.js';
import { reservationFilters } from './query.js';
import { RESERVATION, pageSchema } from './schemas.js';

const ALL = '/reservations';
const ONE = '/reservations/:id';

const CREATED = 201;

/** Needs the plugins `answer` and `authentication`. */
export async function reservations(app, { store }) {
  app.post(ALL, {
    schema: answering(RESERVATION, CREATED),
    config: { role: 'player' },
    handler: async (request, reply) => {
      const value = valueOf(request);
      const key = readKey(request.raw);
      const wanted = newReservation(value, Date.now());
      // In the transaction, since the body is stored with the key.
      const encode = reply.getSerializationFunction(CREATED);
      const { account } = request;
      const { body, isReplayed } = await store.reservations.reserve(account, wanted, key, encode);
      if (isReplayed) reply.header('idempotency-replayed', 'true');
      return reply.header('location', `${ALL}/${JSON.parse(body).id}`).answerText(body, CREATED);
    },
  });

  app.get(ALL, {
    schema: answering(pageSchema(RESERVATION)),
    handler: async ({ query, account }, reply) => {
      const { limit, after } = readPage(query);
      const filters = reservationFilters(query);
      const rows = await store.reservations.list(account, filters, after, limit + 1);
      return reply.answer(pageOf(rows, limit));
    },
  });

  app.get(ONE, {
    schema: answering(RESERVATION),
    handler: async ({ params, account }, reply) =>
      reply.answer(await store.reservations.get(params.id, account)),
  });
}
