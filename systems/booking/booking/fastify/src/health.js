/** The operations `live` and `ready`. */

import { answering } from './answer.js';
import { STATUS } from './schemas.js';

const OK = Object.freeze({ status: 'ok' });
const schema = answering(STATUS);

/** Needs the plugin `answer`. */
export async function health(app, { store }) {
  app.get('/healthz', { schema, handler: (request, reply) => reply.answer(OK) });

  app.get('/readyz', {
    schema,
    handler: async (request, reply) => {
      await store.ask();
      return reply.answer(OK);
    },
  });
}
