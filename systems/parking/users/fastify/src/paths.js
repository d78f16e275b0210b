/**
 * Which methods a path has. Fastify finds the handler; this alone says what is 404 and what is 405, by the path as it
 * was sent, before anything else of the request is looked at.
 */

import fp from 'fastify-plugin';

import { Problem } from './problem.js';

const FIXED = new Map([
  ['/health', ['GET']],
  ['/internal/coins/debits', ['POST']],
  ['/users', ['GET', 'POST']],
  ['/users/coins', ['POST']],
  ['/users/login', ['POST']],
  ['/users/top-coins', ['GET']],
]);

const OF_USER = /^\/users\/[1-9][0-9]{0,15}(\/[a-z-]+)?(\/L[A-Z]-[0-9]{5})?$/;
// By what is behind the id, the plate apart.
const BEHIND_ID = new Map([
  ['', ['GET']],
  ['/coins', ['GET']],
  ['/payment-method', ['GET', 'PUT']],
  ['/status', ['PUT']],
  ['/vehicles', ['GET']],
]);
const OF_PLATE = ['PUT'];

// A path and a method that nothing has, and Fastify knows.
const NOWHERE = '/';
const NO_METHOD = 'TRACE';
const KNOWN_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', NO_METHOD];

/** The methods of a path, or nothing where there is no such path. */
export function methodsOf(path) {
  const parts = OF_USER.exec(path);
  if (parts === null) return FIXED.get(path);
  const [, behind = '', plate] = parts;
  if (plate === undefined) return BEHIND_ID.get(behind);
  return behind === '/vehicles' ? OF_PLATE : undefined;
}

/**
 * What Fastify is to look for, of a request of Node.js: it would decode other paths, and refuse some in its own words.
 * Others than the usual methods are one, of which HTTP/2 has any.
 */
export function toRoute(raw) {
  const end = raw.url.indexOf('?');
  const path = end === -1 ? raw.url : raw.url.slice(0, end);
  raw.allowed = methodsOf(path);
  if (!KNOWN_METHODS.includes(raw.method)) raw.method = NO_METHOD;
  return raw.allowed === undefined ? NOWHERE : path;
}

/** A plugin that refuses other paths and methods. */
export const paths = fp(async (app) => {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (raw.allowed === undefined) done(new Problem('not-found'));
    else if (raw.allowed.includes(raw.method)) done();
    else done(new Problem('method-not-allowed', { allow: raw.allowed.join(', ') }));
  });
});
