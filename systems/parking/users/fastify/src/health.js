/** The operation `health`. */

import { answering } from './answer.js';
import { HEALTH } from './schemas.js';

const UP = Object.freeze({ status: 'up' });

/** Needs the plugin `answer`. */
export async function health(app, { store }) {
  app.get('/health', {
    schema: answering(HEALTH),
    handler: async (request, reply) => {
      await store.ask();
      return reply.answer(UP);
    },
  });
}
