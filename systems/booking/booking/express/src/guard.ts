/** Who may come to an operation, as far as the token alone says. */

import type { RequestHandler, Response } from 'express';

import { Problem } from './problem.js';
import type { Role } from './store.js';
import type { Caller, Tokens } from './tokens.js';

/** Handlers that stand first in a route. */
export interface Guard {
  readonly anyAccount: RequestHandler;
  readonly player: RequestHandler;
  readonly owner: RequestHandler;
}

export function createGuard(tokens: Tokens): Guard {
  const admit =
    (admitted?: Role): RequestHandler =>
    async (req, res, next) => {
      const caller = await tokens.callerOf(req.headers.authorization);
      if (admitted !== undefined && caller.role !== admitted) throw new Problem('forbidden');
      res.locals.caller = caller;
      next();
    };
  return { anyAccount: admit(), player: admit('player'), owner: admit('owner') };
}

/** The caller of a request that a guard has let in. */
export function callerOf(res: Response): Caller {
  return res.locals.caller as Caller;
}
