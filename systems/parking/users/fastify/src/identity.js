/** Who a request comes from, as the gateway says, and who may make it. */

import { timingSafeEqual } from 'node:crypto';

import fp from 'fastify-plugin';

import { Problem } from './problem.js';
import { DEVICE, ROLES } from './words.js';

const ID = /^[1-9][0-9]{0,15}$/;
const GIVEN_ROLES = [...ROLES, DEVICE];

/**
 * A plugin that lets a route's `config: {may}` decide, and gives its requests a `caller`. Without it nobody is asked
 * who it is.
 */
export const identity = fp(async (app) => {
  app.decorateRequest('caller', null);

  app.addHook('onRequest', (request, reply, done) => {
    const { may } = request.routeOptions.config;
    if (may !== undefined) {
      request.caller = callerOf(request.headers);
      if (!may(request)) throw new Problem('forbidden');
    }
    done();
  });
});

/** For the user of the path, of any role. An id has one form, so that texts are compared. */
export function own({ caller, params }) {
  return caller.id === params.id;
}

export function only(...roles) {
  return ({ caller }) => roles.includes(caller.role);
}

export function either(one, other) {
  return (request) => one(request) || other(request);
}

export function both(one, other) {
  return (request) => one(request) && other(request);
}

/** A hook of a route for services that send the key, of which two fields would be joined by a comma. */
export function withKey(key) {
  const expected = Buffer.from(key);
  return (request, reply, done) => {
    const sent = Buffer.from(request.headers['x-internal-key'] ?? '', 'latin1');
    const isRight = sent.length === expected.length && timingSafeEqual(sent, expected);
    done(isRight ? undefined : new Problem('forbidden'));
  };
}

/** The id, as text, and the role. Two fields of a name are joined by a comma, so that they are none. Throws a Problem. */
export function callerOf(headers) {
  const id = headers['x-user-id'];
  const role = headers['x-user-role'];
  if (id === undefined || role === undefined) throw new Problem('token-missing');
  if (!ID.test(id) || !GIVEN_ROLES.includes(role)) throw new Problem('token-invalid');
  return { id, role };
}
