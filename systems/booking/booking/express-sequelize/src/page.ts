/** The page of a list that a query asks for, and how it is shown. */

import { isId } from './id.js';
import { Problem } from './problem.js';
import { type Query, readParameter } from './query.js';

const LIMIT = /^([1-9][0-9]?|100)$/;
const STANDARD_LIMIT = 20;

export interface PageRequest {
  readonly limit: number;
  /** The last id of the page before, in digits; nothing for the first page. */
  readonly cursor: string | undefined;
}

export interface Page {
  readonly items: unknown[];
  readonly next_cursor: string | null;
}

/** Throws a Problem. */
export function readPage(query: Query): PageRequest {
  const limit = readParameter(query, 'limit');
  if (limit !== undefined && !LIMIT.test(limit)) throw new Problem('malformed');
  const cursor = readParameter(query, 'cursor');
  return {
    limit: limit === undefined ? STANDARD_LIMIT : Number(limit),
    cursor: cursor === undefined ? undefined : readCursor(cursor),
  };
}

/** A page of rows, of which there may be one more than the limit. */
export function showPage<Row>(
  rows: readonly Row[],
  { limit }: PageRequest,
  idOf: (row: Row) => number,
  show: (row: Row) => unknown,
): Page {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items: shown.map(show), next_cursor: hasMore ? showCursor(idOf(last)) : null };
}

function showCursor(id: number): string {
  return Buffer.from(String(id)).toString('base64url');
}

function readCursor(text: string): string {
  const digits = Buffer.from(text, 'base64url').toString('latin1');
  // Node takes padding, the other alphabet and what is no base64 as well.
  const isExact = Buffer.from(digits, 'latin1').toString('base64url') === text;
  if (!isExact || !isId(digits)) throw new Problem('malformed');
  return digits;
}
