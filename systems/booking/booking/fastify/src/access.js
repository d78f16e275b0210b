/** The operations `sign-up` and `log-in`, for which no token is needed. */

import { answering } from './answer.js';
import { newAccount, newCredentials } from './bodies.js';
import { valueOf } from './body.js';
import { Problem } from './problem.js';
import { ACCOUNT, TOKEN } from './schemas.js';

const CREATED = 201;

/** Needs the plugin `answer`. */
export async function access(app, { store, tokens, passwords }) {
  app.post('/accounts', {
    schema: answering(ACCOUNT, CREATED),
    handler: async (request, reply) => {
      const wanted = newAccount(valueOf(request));
      const hash = await passwords.hash(wanted.password);
      const account = await store.accounts.add(wanted, hash);
      if (account === undefined) throw new Problem('email-taken');
      return reply.answer(account, CREATED);
    },
  });

  app.post('/auth/login', {
    schema: answering(TOKEN),
    handler: async (request, reply) => {
      const { email, password } = newCredentials(valueOf(request));
      const account = await store.accounts.byEmail(email);
      // Without an account as well, so that nobody can tell by the time whether there is one.
      const isRight = await passwords.isRight(password, account?.password_hash);
      if (account === undefined || !isRight) throw new Problem('bad-credentials');
      return reply.answer({
        token: tokens.issue(account),
        token_type: 'Bearer',
        expires_in: tokens.ttlSeconds,
      });
    },
  });
}
