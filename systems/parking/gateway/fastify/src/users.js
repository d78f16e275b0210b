/** The route to the service: what is wrong with a request is found in the order of SPEC.md. */

import { Exchange } from './exchange.js';
import { valuesOf } from './fields.js';
import { hasDotSegment, isOfUsers, isOpen } from './paths.js';
import { Problem } from './problem.js';
import { MAXIMUM_BYTES } from './upload.js';

/** All paths but that of `health` come here. `forward` takes an exchange, and `scheme` is that of the callers' leg. */
export async function users(app, { tokens, forward, scheme }) {
  app.route({
    method: app.supportedMethods,
    url: '/users',
    handler: async (request, reply) => {
      const { sent, headers, rawHeaders } = request.raw;
      if (hasDotSegment(sent.path)) throw new Problem('malformed');
      if (!isOfUsers(sent.path)) throw new Problem('not-found');
      const caller = isOpen(sent)
        ? null
        : tokens.authenticate(valuesOf(rawHeaders, 'authorization'));
      if (Number(headers['content-length']) > MAXIMUM_BYTES) throw new Problem('too-large');
      const exchange = new Exchange(request, reply, caller, scheme);
      try {
        await forward(exchange);
      } finally {
        exchange.upload?.destroy();
      }
    },
  });
}
