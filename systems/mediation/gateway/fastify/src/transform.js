/** The scenario JSON to XML: a new request with the document that the body makes. */

import { convert } from './conversion.js';
import { ownHeaders } from './headers.js';
import { parse } from './json.js';

export const PATH = '/transform';

const MAXIMUM_BODY_BYTES = 1024 * 1024;

/** Needs the replies of the plugin `upstream`. */
export async function scenario(app) {
  app.removeAllContentTypeParsers();
  // Not Fastify's own parser of JSON, which puts U+FFFD in place of what is not UTF-8, and refuses `__proto__`.
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: MAXIMUM_BODY_BYTES },
    (request, bytes, done) => done(null, parse(bytes)),
  );

  app.post(PATH, (request, reply) => {
    reply.forward({
      body: convert(request.body),
      contentType: 'application/xml',
      queryString: () => '',
      rewriteRequestHeaders: ownHeaders,
    });
  });
}
