/** The operations `live` and `ready`. */

import { answering, textsSchema } from './answer.js';

const UP = Object.freeze({ status: 'up' });
const schema = answering(textsSchema('status'));

/** Needs the plugin `answer`. */
export async function health(app, { store }) {
  app.get('/healthz', { schema, handler: (request, reply) => reply.answer(UP) });

  app.get('/readyz', {
    schema,
    config: { failure: 'Error occurred while asking the database' },
    handler: async (request, reply) => {
      await store.ask();
      return reply.answer(UP);
    },
  });
}
