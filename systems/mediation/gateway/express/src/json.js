/** Reads JSON as the conversion needs it. */

import { BadBody } from './errors.js';

// A byte order mark stays, and is then refused by JSON.parse.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The value of the bytes, or throws BadBody. */
export function parse(bytes) {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw new BadBody('the body is not JSON');
  }
}

/** A number as it was written, as far as JSON.parse keeps it: without exponent where it is small. */
export function numberText(number) {
  const text = Object.is(number, -0) ? '-0' : String(number);
  const [, sign, digits, exponent] = /^(-?)([\d.]+)e-(\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  return `${sign}0.${'0'.repeat(exponent - 1)}${digits.replace('.', '')}`;
}
