/** The operations `payment-method` and `set-payment-method`. */

import { answering } from './answer.js';
import { readValue } from './body.js';
import { own } from './identity.js';
import { newPaymentMethod } from './requests.js';
import { PAYMENT_METHOD } from './schemas.js';

const PATH = '/users/:id/payment-method';

/** Needs the plugins `answer` and `identity`. */
export async function payments(app, { store }) {
  app.get(PATH, {
    schema: answering(PAYMENT_METHOD),
    config: { may: own },
    handler: async ({ params }, reply) =>
      reply.answer({ paymentMethod: await store.users.paymentMethod(params.id) }),
  });

  app.put(PATH, {
    schema: answering(PAYMENT_METHOD),
    config: { may: own },
    handler: async ({ raw, params }, reply) => {
      const { paymentMethod } = newPaymentMethod(await readValue(raw));
      await store.users.setPaymentMethod(params.id, paymentMethod);
      return reply.answer({ paymentMethod });
    },
  });
}
