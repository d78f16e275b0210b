/**
 * The filters of lists, as a query has them. All throw a Problem where a value is none that is allowed; one that is
 * missing is undefined.
 */

import { SPORTS } from './bodies.js';
import { minuteOfDay } from './grid.js';
import { isId } from './id.js';
import { isAllowed, readDay, readInstant, showInstant } from './instant.js';
import { Problem } from './problem.js';
import { anyText, isLonger } from './rules.js';

const SWITCH = ['true', 'false'];
const STATES = ['pending', 'accepted', 'rejected', 'cancelled'];

// What a year of four digits can show and PostgreSQL can read. No reservation is outside of it.
const FIRST_SECOND = Date.UTC(1000, 0, 1) / 1000;
const LAST_SECOND = Date.UTC(9999, 11, 31) / 1000;

/** Those of `list-clubs`, asked for by an account. */
export function clubFilters(query, account) {
  const mine = readWord(query, 'mine', SWITCH);
  const q = readText(query, 'q', 50);
  return {
    owner: mine === 'true' ? account.id : undefined,
    city: readText(query, 'city', 100),
    name: q === undefined ? undefined : patternOf(q),
  };
}

/** Those of `list-facilities`; `minute` and `at` are there where only those that are available are wanted. */
export function facilityFilters(query) {
  const filters = {
    sport: readWord(query, 'sport', SPORTS),
    city: readText(query, 'city', 100),
    club: readId(query, 'club_id'),
  };
  const at = read(query, 'at', (text) => readInstant(text) !== undefined);
  if (readWord(query, 'available', SWITCH) !== 'true') return filters;
  if (at === undefined) throw new Problem('malformed');
  const instant = readInstant(at);
  const seconds = Math.min(Math.max(instant.seconds, FIRST_SECOND), LAST_SECOND);
  return { ...filters, minute: minuteOfDay(instant), at: showInstant(seconds) };
}

/** Those of `list-reservations`. */
export function reservationFilters(query) {
  return { facility: readId(query, 'facility_id'), status: readWord(query, 'status', STATES) };
}

/** The day of `list-slots`: `{date, midnight}`, in seconds since 1970. */
export function dayOf({ date }) {
  const midnight = typeof date === 'string' ? readDay(date) : undefined;
  if (midnight === undefined || !isAllowed(midnight)) throw new Problem('malformed');
  return { date, midnight };
}

function readWord(query, name, words) {
  return read(query, name, (value) => words.includes(value));
}

function readId(query, name) {
  return read(query, name, isId);
}

/** A text of 1 to `most` code points. */
function readText(query, name, most) {
  return read(query, name, (value) => {
    const isText = anyText(value) === undefined;
    return isText && value !== '' && !isLonger(value, most);
  });
}

/** A parameter. One that repeats is a list of texts, and so never right. */
function read(query, name, isRight) {
  const value = query[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !isRight(value)) throw new Problem('malformed');
  return value;
}

/** The pattern of ILIKE for texts with `part` in them. */
function patternOf(part) {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}
