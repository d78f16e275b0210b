/**
 * Which methods a path has. Fastify finds the handler; this alone says what is 404 and what is 405, by the path as it
 * was sent, before anything else of the request is looked at.
 */

const FIXED = new Map([
  ['/accounts', ['POST']],
  ['/accounts/me', ['GET']],
  ['/auth/login', ['POST']],
  ['/clubs', ['GET', 'POST']],
  ['/facilities', ['GET']],
  ['/healthz', ['GET']],
  ['/readyz', ['GET']],
  ['/reservations', ['GET', 'POST']],
]);

const WITH_ID = /^(\/[a-z]+)\/[1-9][0-9]{0,15}(\/[a-z]+)?$/;
// By what is around the id.
const AROUND_ID = new Map([
  ['/clubs', ['GET', 'PUT']],
  ['/clubs/facilities', ['POST']],
  ['/facilities', ['GET', 'PUT', 'DELETE']],
  ['/facilities/ratings', ['GET']],
  ['/facilities/slots', ['GET']],
  ['/reservations', ['GET']],
  ['/reservations/accept', ['POST']],
  ['/reservations/cancel', ['POST']],
  ['/reservations/rating', ['PUT']],
  ['/reservations/reject', ['POST']],
]);

/** The methods of the path of a request target, or nothing where there is no such path. */
export function methodsOf(target) {
  const end = target.indexOf('?');
  const path = end === -1 ? target : target.slice(0, end);
  const parts = WITH_ID.exec(path);
  if (parts === null) return FIXED.get(path);
  const [, before, behind = ''] = parts;
  return AROUND_ID.get(before + behind);
}
