/** The gateway as a Fastify application: its plugins, and what becomes of a request that fails. */

import { randomUUID } from 'node:crypto';

import Fastify from 'fastify';
import fp from 'fastify-plugin';

import { valuesOf } from './fields.js';
import { forwardTo } from './forward.js';
import { health } from './health.js';
import { pages } from './pages.js';
import { toRoute } from './paths.js';
import { PROBLEM_TYPE, Problem } from './problem.js';
import { schemeOf } from './protocol.js';
import { connections, serverOptions } from './server.js';
import { Tokens } from './tokens.js';
import { dropRest } from './upload.js';
import { users } from './users.js';

const INTERNAL_SERVER_ERROR = 500;

const REQUEST_ID = /^[A-Za-z0-9-]{8,64}$/;

/**
 * The application for what the configuration says. `parts` are the instances, `isReady`, which tells whether they are
 * known, and complaints; `log` takes a line.
 */
export function createGateway(config, { instances, isReady, complaints }, log) {
  const { client, upstream, allowedOrigin } = config;
  const app = Fastify({
    ...serverOptions(client),
    exposeHeadRoutes: false,
    rewriteUrl: toRoute,
    genReqId: requestIdOf,
  });
  // Bodies are passed on, and not read here.
  for (const method of app.supportedMethods) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  app.setErrorHandler(failureHandler(complaints, log));
  app.register(marks);
  app.register(connections, { protocol: client.protocol });
  if (allowedOrigin !== null) app.register(pages, { origin: allowedOrigin });
  app.register(health, { isReady });
  app.register(users, {
    tokens: new Tokens(config.secret),
    forward: forwardTo(instances, upstream.limitMs, complaints),
    scheme: schemeOf(client.protocol),
  });
  return app;
}

/** The caller's, where there is one alone, and else a new one. */
function requestIdOf({ rawHeaders }) {
  const values = valuesOf(rawHeaders, 'x-request-id');
  return values.length === 1 && REQUEST_ID.test(values[0]) ? values[0] : randomUUID();
}

/** A plugin that sets the fields of all answers of the gateway itself. */
const marks = fp(async (app) => {
  const fields = { 'cache-control': 'no-store' };
  app.server.once('listening', () => {
    fields['x-instance-id'] = `gateway-${app.server.address().port}`;
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(fields).header('x-request-id', request.id);
    done();
  });
});

function failureHandler(complaints, log) {
  return (error, request, reply) => {
    const problem = error instanceof Problem ? error : new Problem('internal', { cause: error });
    const { code, status, fields, cause } = problem;
    if (status >= INTERNAL_SERVER_ERROR) {
      const line = `a request was ${code}${cause === undefined ? '' : `: ${cause.message}`}`;
      // Of what stays away there is a line already, mostly.
      if (status === INTERNAL_SERVER_ERROR) log(line);
      else complaints.say(line);
    }
    dropRest(request.raw, reply.raw);
    reply
      .headers(fields)
      .code(status)
      .header('content-type', PROBLEM_TYPE)
      .serializer(String)
      // On HTTP/2 Node.js takes the body of an answer to HEAD for an error.
      .send(request.method === 'HEAD' ? undefined : problem.toText());
  };
}
