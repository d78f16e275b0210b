/** The gateway as a Fastify application: its plugins, and what becomes of a request that fails. */

import Fastify, { LogController } from 'fastify';

import { isSmall, readAll } from './body.js';
import * as passthrough from './passthrough.js';
import { drain, serverOptions } from './server.js';
import * as transform from './transform.js';
import upstream from './upstream.js';

const ANY_TYPE = Object.freeze({ 'content-type': 'application/octet-stream' });

/** The application for a configuration; `log` is a stream that takes one line for each failure. */
export function createGateway(config, log) {
  const app = Fastify({
    ...serverOptions(config),
    logger: { level: 'error', stream: log },
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
  });
  app.addHook('onRequest', ignoreType);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async ({ raw }, payload) =>
    isSmall(raw.headers['content-length']) ? readAll(payload) : payload,
  );
  app.setNotFoundHandler((request, reply) => refuse(reply, 404, 'no such path'));
  app.setErrorHandler(failed);
  app.register(drain);
  app.register(upstream, config.upstream);
  for (const { PATH, scenario } of [passthrough, transform]) {
    app.register(scenario);
    const method = app.supportedMethods.filter((name) => name !== 'POST');
    app.route({ method, url: PATH, handler: refuseMethod });
  }
  return app;
}

/**
 * A body may be of any type. Fastify refuses one whose type is malformed, and on HTTP/2 it takes a request
 * with neither type nor length for one without a body. Fields that travel on are not these, but the raw ones.
 */
function ignoreType(request, reply, done) {
  if (request.headers['content-type'] !== undefined || request.raw.httpVersionMajor === 2) {
    request.headers = ANY_TYPE;
  }
  done();
}

function refuseMethod(request, reply) {
  reply.header('allow', 'POST');
  refuse(reply, 405, 'only POST');
}

function refuse(reply, status, message) {
  reply.code(status).type('text/plain; charset=utf-8').send(`${message}\n`);
}

function failed(error, request, reply) {
  const { statusCode = 500 } = error;
  if (statusCode === 500) request.log.error(error);
  // Fields of an answer that broke off before a byte of its body was sent.
  for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
  // What is left of the request is not read, so a connection of HTTP/1.1 cannot carry another one.
  if (request.raw.httpVersionMajor === 1 && !request.raw.complete) {
    reply.header('connection', 'close');
  }
  refuse(reply, statusCode, statusCode === 500 ? 'the gateway failed' : error.message);
}
