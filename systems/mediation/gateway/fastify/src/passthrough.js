/** The scenario pass-through: the request goes to the upstream as it comes. */

import { requestHeaders } from './headers.js';

export const PATH = '/passthrough';

/** Needs bodies as streams, and the replies of the plugin `upstream`. */
export async function scenario(app) {
  app.post(PATH, (request, reply) => {
    reply.forward({ rewriteRequestHeaders: requestHeaders });
  });
}
