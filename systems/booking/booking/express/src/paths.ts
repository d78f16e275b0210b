/**
 * Which methods a path has. Express finds the handler; this alone says what is 404 and what is 405, by the path as it
 * was sent, before anything else of the request is looked at.
 */

import type { NextFunction, Request, Response } from 'express';

import { ID_PATTERN } from './id.js';
import { Problem } from './problem.js';

const FIXED: ReadonlyMap<string, readonly string[]> = new Map([
  ['/accounts', ['POST']],
  ['/accounts/me', ['GET']],
  ['/auth/login', ['POST']],
  ['/clubs', ['GET', 'POST']],
  ['/facilities', ['GET']],
  ['/reservations', ['GET', 'POST']],
  ['/healthz', ['GET']],
  ['/readyz', ['GET']],
]);

// What an id stands in: by the word before it, and what may be behind it.
const WITH_ID = new RegExp(`^/(clubs|facilities|reservations)/${ID_PATTERN}(/[a-z]+)?$`);
const OF_ID: ReadonlyMap<string, readonly string[]> = new Map([
  ['clubs', ['GET', 'PUT']],
  ['clubs/facilities', ['POST']],
  ['facilities', ['GET', 'PUT', 'DELETE']],
  ['facilities/slots', ['GET']],
  ['facilities/ratings', ['GET']],
  ['reservations', ['GET']],
  ['reservations/accept', ['POST']],
  ['reservations/reject', ['POST']],
  ['reservations/cancel', ['POST']],
  ['reservations/rating', ['PUT']],
]);

/** The methods of the path of a request target, or nothing where there is no such path. */
export function methodsOf(target: string): readonly string[] | undefined {
  const end = target.indexOf('?');
  const path = end === -1 ? target : target.slice(0, end);
  const fixed = FIXED.get(path);
  if (fixed !== undefined) return fixed;
  const [, word = '', rest = ''] = WITH_ID.exec(path) ?? [];
  return OF_ID.get(word + rest);
}

/** Refuses what no path or no method is. */
export function refuseUnknown(req: Request, res: Response, next: NextFunction): void {
  const methods = methodsOf(req.url);
  if (methods === undefined) throw new Problem('not-found');
  if (!methods.includes(req.method)) {
    throw new Problem('method-not-allowed', { allow: methods.join(', ') });
  }
  next();
}
