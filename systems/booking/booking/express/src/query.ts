/** The parameters of a query. What is none of the values that SPEC.md has is refused. */

import { parse } from 'node:querystring';

import type { Request } from 'express';

import { isId } from './id.js';
import { type Instant, readInstant } from './instant.js';
import { Problem } from './problem.js';
import { codePoints, isPlain } from './text.js';

export type Query = Request['query'];

/** Express's query parser, made strict: an escape that is broken, or no UTF-8, is a malformed request. */
export function parseQuery(text: string | null): ReturnType<typeof parse> {
  if (text === null) return {};
  try {
    decodeURIComponent(text);
  } catch (cause) {
    throw new Problem('malformed', { cause });
  }
  return parse(text);
}

/** The value of a parameter, or nothing where it is missing. */
export function readParameter(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value !== undefined && typeof value !== 'string') throw new Problem('malformed');
  return value;
}

/** One of some words. */
export function readWord<Word extends string>(
  query: Query,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = readParameter(query, name);
  if (text === undefined) return undefined;
  const word = words.find((each) => each === text);
  if (word === undefined) throw new Problem('malformed');
  return word;
}

export function readFlag(query: Query, name: string): boolean {
  return readWord(query, name, ['true', 'false']) === 'true';
}

/** A text of 1 to `most` code points. */
export function readText(query: Query, name: string, most: number): string | undefined {
  const text = readParameter(query, name);
  if (text === undefined) return undefined;
  if (text === '' || !isPlain(text) || codePoints(text) > most) throw new Problem('malformed');
  return text;
}

export function readId(query: Query, name: string): number | undefined {
  const text = readParameter(query, name);
  if (text === undefined) return undefined;
  if (!isId(text)) throw new Problem('malformed');
  return Number(text);
}

export function readTime(query: Query, name: string): Instant | undefined {
  const text = readParameter(query, name);
  if (text === undefined) return undefined;
  const instant = readInstant(text);
  if (instant === undefined) throw new Problem('malformed');
  return instant;
}
