/**
 * Lets in who has a token: a plugin whose hook runs before the routes of its scope, and gives their requests an
 * `account`. A route that is for one role says so by `config: {role}`. Nothing is asked of the database.
 */

import fp from 'fastify-plugin';

import { Problem } from './problem.js';

const BEARER = /^bearer +([^ ]+)$/i;

async function authentication(app, { tokens }) {
  app.decorateRequest('account', null);

  app.addHook('onRequest', (request, reply, done) => {
    const token = BEARER.exec(request.raw.headers.authorization ?? '')?.[1];
    const account = token === undefined ? undefined : tokens.read(token);
    const { role } = request.routeOptions.config;
    if (account === undefined) {
      done(new Problem('unauthenticated'));
    } else if (role !== undefined && role !== account.role) {
      done(new Problem('forbidden'));
    } else {
      request.account = account;
      done();
    }
  });
}

export default fp(authentication, { name: 'authentication' });
