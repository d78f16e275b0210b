/** The operation `health`. */

import { Problem } from './problem.js';

const UP = '{"status":"up"}';

export async function health(app, { isReady }) {
  app.route({
    method: app.supportedMethods,
    url: '/health',
    handler: (request, reply) => {
      if (request.method !== 'GET') throw new Problem('method-not-allowed', { allow: 'GET' });
      if (!isReady()) throw new Problem('unavailable');
      request.raw.resume();
      reply.header('content-type', 'application/json').serializer(String).send(UP);
    },
  });
}
