/** The service as a Fastify application: its plugins, and what becomes of a request that fails. */

import Fastify, { LogController } from 'fastify';

import answer from './answer.js';
import { readBody } from './body.js';
import { conferences } from './conferences.js';
import { Cancelled } from './exchange.js';
import { health } from './health.js';
import { methodsOf } from './paths.js';
import { PROBLEM_TYPE, Problem } from './problem.js';
import { SERVER_OPTIONS, drain } from './server.js';
import { withCountry } from './with_country.js';

const JSON_TYPE = 'application/json';
const ANY_TYPE = Object.freeze({ 'content-type': 'application/octet-stream' });

const INTERNAL_SERVER_ERROR = 500;
const SERVICE_UNAVAILABLE = 503;
// In seconds: the database may be there again by then.
const RETRY_AFTER = '1';

/**
 * The application over a store and a client of the service `country`, which end with it; `lookups` is a part of the
 * configuration, and `log` a stream that takes a line for each failure.
 */
export function createService({ store, country, lookups, logLevel }, log) {
  const app = Fastify({
    ...SERVER_OPTIONS,
    logger: { level: logLevel, stream: log },
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    // A path that cannot be decoded, or is too long, is not there.
    frameworkErrors: (error, request, reply) => failed(new Problem('not-found'), request, reply),
  });
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  app.addHook('onRequest', refuseUnknown);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', ({ raw }) => readBody(raw));
  app.setErrorHandler(failed);
  app.register(drain);
  app.register(answer);
  app.register(conferences, { store });
  app.register(withCountry, { store, country, lookups });
  app.register(health, { store });
  app.addHook('onClose', () => Promise.all([store.close(), country.close()]));
  return app;
}

/** Before anything else of a request, so that neither its type nor its size matters where its path is wrong. */
function refuseUnknown(request, reply, done) {
  const methods = methodsOf(request.raw.url);
  if (methods === undefined) {
    done(new Problem('not-found'));
  } else if (!methods.includes(request.method)) {
    done(new Problem('method-not-allowed', { allow: methods.join(', ') }));
  } else {
    // Fastify would refuse a malformed type before the size is known.
    const type = request.raw.headers['content-type'];
    if (type !== undefined && type !== JSON_TYPE) request.headers = ANY_TYPE;
    done();
  }
}

function failed(error, request, reply) {
  if (error instanceof Cancelled) {
    reply.hijack(); // nobody is there to be told
    return;
  }
  const problem = error instanceof Problem ? error : new Problem('internal');
  const { status, allow } = problem;
  if (status === INTERNAL_SERVER_ERROR) request.log.error(error);
  else if (status > INTERNAL_SERVER_ERROR) request.log.warn(lineOf(problem));
  if (status === SERVICE_UNAVAILABLE) reply.header('retry-after', RETRY_AFTER);
  if (allow !== undefined) reply.header('allow', allow);
  reply.removeHeader('link'); // of a page whose look-ups failed
  reply
    .code(status)
    .header('content-type', PROBLEM_TYPE)
    .serializer(String)
    .send(problem.toText(request.routeOptions.config?.failure));
}

function lineOf({ code, cause }) {
  return cause === undefined ? code : `${code}: ${cause.message}`;
}
