/** The operation `me`. */

import { answering } from './answer.js';
import { Problem } from './problem.js';
import { ACCOUNT } from './schemas.js';

/** Needs the plugins `answer` and `authentication`. */
export async function accounts(app, { store }) {
  app.get('/accounts/me', {
    schema: answering(ACCOUNT),
    handler: async (request, reply) => {
      const account = await store.accounts.byId(request.account.id);
      if (account === undefined) throw new Problem('unauthenticated');
      return reply.answer(account);
    },
  });
}
