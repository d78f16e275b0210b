/** The service as an Express application. */

import express, { type Express } from 'express';
import type { Logger } from 'pino';

import { failed } from './failure.js';
import { createGuard } from './guard.js';
import type { Hasher } from './hasher.js';
import { accounts } from './operations/accounts.js';
import { clubs } from './operations/clubs.js';
import { decisions } from './operations/decisions.js';
import { facilities } from './operations/facilities.js';
import { health } from './operations/health.js';
import { ratings } from './operations/ratings.js';
import { reservations } from './operations/reservations.js';
import { refuseUnknown } from './paths.js';
import { parseQuery } from './query.js';
import type { Store } from './store.js';
import type { Tokens } from './tokens.js';

/** What the service is made of; `now` is a clock in milliseconds, and `log` takes a line for each failure. */
export interface Parts {
  readonly store: Store;
  readonly hasher: Pick<Hasher, 'hash' | 'matches'>;
  readonly tokens: Tokens;
  readonly now: () => number;
  readonly log: Logger;
}

export function createService({ store, hasher, tokens, now, log }: Parts): Express {
  const guard = createGuard(tokens);
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', parseQuery);
  app.use(refuseUnknown);
  app.use(facilities(store, guard));
  app.use(reservations(store, guard, now));
  app.use(decisions(store, guard));
  app.use(ratings(store, guard));
  app.use(clubs(store, guard));
  app.use(accounts(store, guard, tokens, hasher));
  app.use(health(store));
  app.use(failed(log));
  return app;
}
