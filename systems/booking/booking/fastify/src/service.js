/** The service as a Fastify application: its plugins, and what becomes of a request that fails. */

import Fastify, { LogController } from 'fastify';

import { access } from './access.js';
import { accounts } from './accounts.js';
import answer from './answer.js';
import authentication from './authentication.js';
import { dropRest, readBody } from './body.js';
import { clubs } from './clubs.js';
import { decisions } from './decisions.js';
import { facilities } from './facilities.js';
import { health } from './health.js';
import { methodsOf } from './paths.js';
import { PROBLEM_TYPE, Problem } from './problem.js';
import { ratings } from './ratings.js';
import { reservations } from './reservations.js';
import { SERVER_OPTIONS, drain } from './server.js';

const JSON_TYPE = 'application/json';
const ANY_TYPE = Object.freeze({ 'content-type': 'application/octet-stream' });

const INTERNAL_SERVER_ERROR = 500;
// By the code of a problem.
const FIELDS = {
  unauthenticated: { 'www-authenticate': 'Bearer' },
  // In seconds: the database may be there again by then.
  unavailable: { 'retry-after': '1' },
};

/**
 * The application over a store, which ends with it, the tokens and the passwords of accounts; `log` is a stream that
 * takes a line for each failure.
 */
export function createService({ store, tokens, passwords, logLevel }, log) {
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
  app.register(health, { store });
  app.register(access, { store, tokens, passwords });
  app.register(withToken, { store, tokens });
  app.addHook('onClose', async () => store.close());
  return app;
}

/** The scope of all that only who has a token may do. */
async function withToken(app, { store, tokens }) {
  app.register(authentication, { tokens });
  for (const operations of [accounts, clubs, facilities, reservations, decisions, ratings]) {
    app.register(operations, { store });
  }
}

/** Before anything else of a request, so that neither its token nor its type matters where its path is wrong. */
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
  const problem = error instanceof Problem ? error : new Problem('internal');
  const { code, status, allow } = problem;
  if (status === INTERNAL_SERVER_ERROR) request.log.error(error);
  else if (status > INTERNAL_SERVER_ERROR) request.log.warn(lineOf(problem));
  if (allow !== undefined) reply.header('allow', allow);
  if (code === 'too-large') dropRest(request.raw, reply.raw);
  reply
    .headers(FIELDS[code] ?? {})
    .code(status)
    .header('content-type', PROBLEM_TYPE)
    .serializer(String)
    .send(problem.toText());
}

function lineOf({ code, cause }) {
  return cause === undefined ? code : `${code}: ${cause.message}`;
}
