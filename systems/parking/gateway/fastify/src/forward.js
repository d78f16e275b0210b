/** Sends requests to an instance, and to others where that fails. */

import { Attempt, FailedAttempt } from './attempt.js';
import { Problem } from './problem.js';

// The first one, and to two others.
const MOST_ATTEMPTS = 3;
// Requests that may be sent again where a connection ended before an answer.
const REPEATABLE = ['GET', 'HEAD', 'PUT', 'DELETE'];

/**
 * A function that forwards an exchange. It resolves once that is over, and rejects with a Problem where no instance has
 * answered. `limitMs` bounds the wait for the head of an answer.
 */
export function forwardTo(instances, limitMs, complaints) {
  return async (exchange) => {
    const request = exchange.toSend();
    const tried = [];
    let code = 'unavailable';
    while (tried.length < MOST_ATTEMPTS && !exchange.hasLeft) {
      const instance = instances.next(tried);
      if (instance === undefined) break;
      tried.push(instance);
      const attempt = new Attempt(exchange, limitMs);
      instance.upstream.send(request, attempt);
      try {
        await attempt.result;
        return;
      } catch (error) {
        if (!(error instanceof FailedAttempt)) throw error;
        instances.leaveOut(instance);
        complaints.say(`${instance.origin} failed: ${error.message}`);
        code = 'upstream';
        if (!mayGoElsewhere(exchange, error)) break;
      }
    }
    if (!exchange.hasLeft) throw new Problem(code);
  };
}

function mayGoElsewhere({ method, upload }, { mayBeSent }) {
  return (mayBeSent || REPEATABLE.includes(method)) && !upload?.hasBegun;
}
