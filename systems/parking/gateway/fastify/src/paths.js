/** Which paths are whose, by the path as it was sent: what it is decoded to is the service's. */

const HEALTH = '/health';
const USERS = '/users';
const LOGIN = '/users/login';

// What may be a dot, and what may end a segment, where a service reads the path.
const DOT = /%2e/gi;
const ENDS_OF_SEGMENTS = /\/|\\|%2f|%5c/i;

// A method that Fastify knows, in the place of those that it does not.
const OTHER_METHOD = 'TRACE';
const KNOWN_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', OTHER_METHOD];

/**
 * What Fastify is to look for, of a request of Node.js: it would decode other paths, and refuse some in its own words.
 * What was sent is kept as `sent`.
 */
export function toRoute(raw) {
  const { method, url } = raw;
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  raw.sent = { method, path, target: url };
  if (!KNOWN_METHODS.includes(method)) raw.method = OTHER_METHOD;
  return path === HEALTH ? HEALTH : USERS;
}

/** Whether a path leads to another one. */
export function hasDotSegment(path) {
  if (!path.includes('.') && !path.includes('%')) return false;
  return path
    .replace(DOT, '.')
    .split(ENDS_OF_SEGMENTS)
    .some((segment) => segment === '.' || segment === '..');
}

/** Whether the first segment is the one of the route. */
export function isOfUsers(path) {
  return path.startsWith(USERS) && (path.length === USERS.length || path[USERS.length] === '/');
}

/** Whether a request needs no token. */
export function isOpen({ method, path }) {
  return method === 'POST' && (path === USERS || path === LOGIN);
}
