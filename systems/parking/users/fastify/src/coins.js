/** The operations `top-coins`, `grant-coins`, `wallet` and `debit`. */

import { answering } from './answer.js';
import { readValue } from './body.js';
import { readKey } from './idempotency.js';
import { either, only, own, withKey } from './identity.js';
import { newDebit, newGrant } from './requests.js';
import { TAKEN, TOP, WALLET } from './schemas.js';
import { CUSTOMER_MANAGER, SUPERVISOR } from './words.js';

/** Needs the plugins `answer` and `identity`. */
export async function coins(app, { store, internalKey }) {
  app.get('/users/top-coins', {
    schema: answering(TOP),
    config: { may: only(SUPERVISOR, CUSTOMER_MANAGER) },
    handler: async (request, reply) => reply.answer(await store.coins.top()),
  });

  app.post('/users/coins', {
    config: { may: only(CUSTOMER_MANAGER) },
    handler: async ({ raw, headers, caller }, reply) => {
      const value = await readValue(raw);
      const key = readKey(headers);
      const asked = newGrant(value);
      const { status, body, isReplayed } = await store.coins.grant(key, asked, caller.id);
      if (isReplayed) reply.header('idempotency-replayed', 'true');
      return reply.answerText(body, status);
    },
  });

  app.get('/users/:id/coins', {
    schema: answering(WALLET),
    config: { may: either(own, only(CUSTOMER_MANAGER)) },
    handler: async ({ params }, reply) => reply.answer(await store.coins.wallet(params.id)),
  });

  app.post('/internal/coins/debits', {
    schema: answering(TAKEN),
    onRequest: withKey(internalKey),
    handler: async ({ raw }, reply) => {
      const taken = await store.coins.debit(newDebit(await readValue(raw)));
      return reply.answer({ coins: taken });
    },
  });
}
