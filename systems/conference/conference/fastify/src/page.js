/** The page of a list that a query asks for, and the field that tells of the next one. */

import { isId } from './conference.js';
import { malformedPage } from './problem.js';

const LIMIT = /^([1-9]\d{0,2}|1000)$/;
// Less than every id.
const BEFORE_ALL = '';

/** `{limit, after}`, or nothing for the whole list. Throws a Problem. */
export function readPage({ limit, after }) {
  if (limit === undefined && after === undefined) return undefined;
  if (!LIMIT.test(limit) || (after !== undefined && !isId(after))) throw malformedPage();
  return { limit: Number(limit), after: after ?? BEFORE_ALL };
}

/** The field `Link` of a page of `path` that ends with the id `last`. */
export function nextLink(path, { limit }, last) {
  return `<${path}?limit=${limit}&after=${last}>; rel="next"`;
}
