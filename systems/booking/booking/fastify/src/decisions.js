/** The operations `accept`, `reject` and `cancel`, which take any body and look at none. */

import { answering } from './answer.js';
import { dropBody } from './body.js';
import { RESERVATION } from './schemas.js';

/** Needs the plugins `answer` and `authentication`. */
export async function decisions(app, { store }) {
  // Those of this scope alone.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', ({ raw }) => dropBody(raw));

  decide('accept', 'accepted');
  decide('reject', 'rejected');

  app.post('/reservations/:id/cancel', {
    schema: answering(RESERVATION),
    config: { role: 'player' },
    handler: async ({ params, account }, reply) =>
      reply.answer(await store.reservations.cancel(params.id, account)),
  });

  function decide(verb, status) {
    app.post(`/reservations/:id/${verb}`, {
      schema: answering(RESERVATION),
      config: { role: 'owner' },
      handler: async ({ params, account }, reply) =>
        reply.answer(await store.reservations.decide(params.id, account, status)),
    });
  }
}
