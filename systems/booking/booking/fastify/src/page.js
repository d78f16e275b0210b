/** The page of a list that a query asks for, and how it is answered. */

import { isId } from './id.js';
import { Problem } from './problem.js';

const LIMIT = /^([1-9]\d?|100)$/;
const STANDARD_LIMIT = '20';

/** `{limit, after}`, where `after` is the last id of the page before, if there was one. Throws a Problem. */
export function readPage({ limit = STANDARD_LIMIT, cursor }) {
  if (!LIMIT.test(limit)) throw new Problem('malformed');
  return { limit: Number(limit), after: cursor === undefined ? undefined : idOf(cursor) };
}

/** The page of rows of which one more was read than it may have; `key` is the member with their id. */
export function pageOf(rows, limit, key = 'id') {
  const hasMore = rows.length > limit;
  const items = hasMore ? rows.slice(0, limit) : rows;
  return { items, next_cursor: hasMore ? cursorOf(items.at(-1)[key]) : null };
}

function cursorOf(id) {
  return Buffer.from(String(id)).toString('base64url');
}

/** The id in a cursor. Node.js decodes whatever it gets, so that a cursor is one if it comes out again. */
function idOf(cursor) {
  const id = Buffer.from(String(cursor), 'base64url').toString('latin1');
  if (!isId(id) || cursorOf(id) !== cursor) throw new Problem('malformed');
  return id;
}
