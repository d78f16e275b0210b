/**
 * What a member has to be. A rule is a function that takes a value and gives the code of its first fault, in the order
 * of SPEC.md, or nothing.
 */

import { isAllowed, readInstant } from './instant.js';

const EMAIL = /^[a-z0-9._%+-]{1,64}@[a-z0-9.-]{3,189}$/;
const SHORTEST_EMAIL = 6;

const SHORTEST_PASSWORD_BYTES = 8;
/** As many as bcrypt looks at. */
export const LONGEST_PASSWORD_BYTES = 72;

// Beyond these an integer has more than 64 bits, as far as a number of JavaScript can tell.
const LEAST_INTEGER = -(2 ** 63);
const MOST_INTEGER = 2 ** 63;

/** Any text but one that PostgreSQL cannot keep, or that has no UTF-8: half a surrogate pair is no character. */
export function anyText(value) {
  if (typeof value !== 'string') return 'type';
  return value.includes('\0') || !value.isWellFormed() ? 'format' : undefined;
}

/** A text of `least`, 0 or 1, to `most` code points. */
export function text(least, most) {
  return (value) => {
    const fault = anyText(value);
    if (fault !== undefined) return fault;
    if (value.length < least) return 'too-short';
    return isLonger(value, most) ? 'too-long' : undefined;
  };
}

/** One of some texts. */
export function oneOf(texts) {
  return (value) => anyText(value) ?? (texts.includes(value) ? undefined : 'unknown-value');
}

/** An integer of a range. */
export function integer(least, most) {
  return (value) => faultOfInteger(value) ?? (value < least || value > most ? 'range' : undefined);
}

/** One of some integers. */
export function oneOfIntegers(integers) {
  return (value) =>
    faultOfInteger(value) ?? (integers.includes(value) ? undefined : 'unknown-value');
}

/** An id of the database, of which there may be none. */
export const anyId = integer(1, MOST_INTEGER);

/** An e-mail address, in any case. */
export function email(value) {
  const fault = anyText(value);
  if (fault !== undefined) return fault;
  if (!EMAIL.test(inLowerCase(value))) return 'format';
  // The pattern has no longer ones than SPEC.md allows.
  return value.length < SHORTEST_EMAIL ? 'too-short' : undefined;
}

/** A password that is new. */
export function password(value) {
  const fault = anyText(value);
  if (fault !== undefined) return fault;
  const bytes = Buffer.byteLength(value);
  if (bytes < SHORTEST_PASSWORD_BYTES) return 'too-short';
  return bytes > LONGEST_PASSWORD_BYTES ? 'too-long' : undefined;
}

/** An instant of the years that SPEC.md allows, later than `now`, in milliseconds since 1970. */
export function laterThan(now) {
  return (value) => {
    if (typeof value !== 'string') return 'type';
    const instant = readInstant(value);
    if (instant === undefined) return 'format';
    if (!isAllowed(instant.seconds)) return 'range';
    return (instant.seconds + instant.fraction) * 1000 <= now ? 'in-past' : undefined;
  };
}

/** A text with the letters of ASCII in lower case: `toLowerCase` makes a k of the sign for kelvin, too. */
export function inLowerCase(value) {
  return value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether a text has more code points; of UTF-16 units it has up to twice as many. */
export function isLonger(value, most) {
  return value.length > most && (value.length > 2 * most || [...value].length > most);
}

function faultOfInteger(value) {
  if (!Number.isInteger(value)) return 'type';
  return value <= LEAST_INTEGER || value >= MOST_INTEGER ? 'range' : undefined;
}
