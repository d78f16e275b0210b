/** The scenario pass-through: the request goes to the upstream as it comes. */

import { requestHeaders } from './headers.js';

export const PATH = '/passthrough';

const NO_TYPE = 'application/octet-stream';

/** Needs bodies as streams or as bytes, and the replies of the plugin `upstream`. */
export async function scenario(app) {
  app.post(PATH, (request, reply) => {
    const { body, raw } = request;
    reply.forward({
      // Without a type, bytes would go on as text that is JSON.
      ...(Buffer.isBuffer(body) && { body, contentType: raw.headers['content-type'] ?? NO_TYPE }),
      rewriteRequestHeaders: requestHeaders,
    });
  });
}
