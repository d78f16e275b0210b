/** What becomes of a request that fails. */

import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';

import { answerText } from './answer.js';
import { PROBLEM_TYPE, Problem } from './problem.js';

const INTERNAL_SERVER_ERROR = 500;
const SERVICE_UNAVAILABLE = 503;
// In seconds: the database may be there again by then.
const RETRY_AFTER = '1';

/** Express's error handler, which it tells by its four parameters. */
export function failed(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) {
      next(error); // Express ends the connection
      return;
    }
    const problem = error instanceof Problem ? error : new Problem('internal', { cause: error });
    const { code, status, allow, cause } = problem;
    if (status === INTERNAL_SERVER_ERROR) log.error(cause);
    else if (status > INTERNAL_SERVER_ERROR) log.warn(lineOf(problem));
    if (code === 'unauthenticated') res.setHeader('WWW-Authenticate', 'Bearer');
    if (status === SERVICE_UNAVAILABLE) res.setHeader('Retry-After', RETRY_AFTER);
    if (allow !== undefined) res.setHeader('Allow', allow);
    answerText(res, status, problem.toText(), PROBLEM_TYPE);
  };
}

function lineOf({ code, cause }: Problem): string {
  return cause instanceof Error ? `${code}: ${cause.message}` : code;
}
