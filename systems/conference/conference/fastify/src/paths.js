/**
 * Which methods a path has. Fastify finds the handler; this alone says what is 404 and what is 405, by the path as it
 * was sent, before anything else of the request is looked at.
 */

const FIXED = new Map([
  ['/conferences', ['GET', 'POST']],
  ['/conferenceswithcountry', ['GET']],
  ['/healthz', ['GET']],
  ['/readyz', ['GET']],
]);
const ONE = /^\/conferences\/[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/;
const ONE_METHODS = ['GET', 'PUT', 'DELETE'];

/** The methods of the path of a request target, or nothing where there is no such path. */
export function methodsOf(target) {
  const end = target.indexOf('?');
  const path = end === -1 ? target : target.slice(0, end);
  return FIXED.get(path) ?? (ONE.test(path) ? ONE_METHODS : undefined);
}
