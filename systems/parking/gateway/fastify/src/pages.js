/** What pages of the one other origin that may read answers are told. */

import fp from 'fastify-plugin';

import { valuesOf } from './fields.js';

const NO_CONTENT = 204;

/** A plugin that answers preflights of the origin. Its other requests get `pageFields`, those of each of their answers. */
export const pages = fp(async (app, { origin }) => {
  const fields = {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'location, idempotency-replayed, x-request-id',
    vary: 'Origin',
  };
  const preflightFields = {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, PUT',
    'access-control-allow-headers': 'authorization, content-type, idempotency-key',
    'access-control-max-age': '600',
    vary: 'Origin',
  };
  const list = Object.entries(fields).flat();
  app.decorateRequest('pageFields', null);

  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const origins = valuesOf(raw.rawHeaders, 'origin');
    if (origins.length !== 1 || origins[0] !== origin) {
      done();
    } else if (isPreflight(raw)) {
      raw.resume();
      reply.code(NO_CONTENT).headers(preflightFields).send();
    } else {
      request.pageFields = list;
      reply.headers(fields);
      done();
    }
  });
});

function isPreflight({ method, headers }) {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}
