/** The service as a Fastify application: its plugins, and what becomes of a request that fails. */

import Fastify from 'fastify';
import fp from 'fastify-plugin';

import answer from './answer.js';
import { dropRest } from './body.js';
import { coins } from './coins.js';
import { lineOf } from './failures.js';
import { health } from './health.js';
import { identity } from './identity.js';
import { logins } from './logins.js';
import { paths, toRoute } from './paths.js';
import { payments } from './payments.js';
import { PROBLEM_TYPE, Problem } from './problem.js';
import { connections, serverOptions } from './server.js';
import { users } from './users.js';
import { vehicles } from './vehicles.js';

const INTERNAL_SERVER_ERROR = 500;

/**
 * The application for a leg, as `{protocol, keyPair}`, over `parts`: the store, which ends with it, the passwords and the
 * tokens of users, the key of other services, and complaints. `log` takes a line.
 */
export function createService({ protocol, keyPair }, parts, log) {
  const app = Fastify({
    ...serverOptions({ protocol, keyPair }),
    exposeHeadRoutes: false,
    rewriteUrl: toRoute,
  });
  // No body is read before an operation asks for it. Fastify would refuse a type before the size is known.
  for (const method of app.supportedMethods) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  app.setErrorHandler(failureHandler(parts.complaints, log));
  app.register(marks);
  app.register(connections, { protocol });
  app.register(paths);
  app.register(identity);
  app.register(answer);
  for (const operations of [health, users, logins, vehicles, payments, coins]) {
    app.register(operations, parts);
  }
  app.addHook('onClose', async () => parts.store.close());
  return app;
}

/** A plugin that sets the fields of all answers. */
const marks = fp(async (app) => {
  const fields = { 'cache-control': 'no-store' };
  app.server.once('listening', () => {
    fields['x-instance-id'] = `users-${app.server.address().port}`;
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(fields);
    done();
  });
});

function failureHandler(complaints, log) {
  return (error, request, reply) => {
    const problem = error instanceof Problem ? error : new Problem('internal', { cause: error });
    const { code, status, fields } = problem;
    if (status >= INTERNAL_SERVER_ERROR) {
      const line = `${request.method} ${request.routeOptions.url} was ${lineOf(problem)}`;
      // What is not available stays away, mostly.
      if (status === INTERNAL_SERVER_ERROR) log(line);
      else complaints.say(line);
    }
    if (code === 'too-large') dropRest(request.raw, reply.raw);
    else request.raw.resume();
    reply
      .headers(fields)
      .code(status)
      .header('content-type', PROBLEM_TYPE)
      .serializer(String)
      // On HTTP/2 Node.js takes the body of an answer to HEAD for an error.
      .send(request.method === 'HEAD' ? undefined : problem.toText());
  };
}
