/**
 * What a member has to be. A rule tells whether a value is of its type, and gives the code of the first fault of one
 * that is, in the order of SPEC.md, or nothing.
 */

const CONTROL = /\p{Cc}/u;
const VISIBLE = /^[!-~]*$/;
const EMAIL = /^[^@]+@[^@]+$/;
const PLATE = /^L[A-Z]-[0-9]{5}$/;

const MOST_IDS = 100;

/** Any text. Half a surrogate pair is no character, so that a text with one is none. */
export const anyText = textRule(() => undefined);

/** A text of so many code points, none of which is a control. */
export function characters(least, most) {
  return textRule((text) => faultOfLength(text, least, most) ?? faultIf(CONTROL.test(text)));
}

/** A text of so many characters of visible ASCII, with a fault of `more` where that tells of one. */
export function visible(least, most, more = () => undefined) {
  return textRule(
    (text) => faultOfLength(text, least, most) ?? faultIf(!VISIBLE.test(text)) ?? more(text),
  );
}

export const email = visible(3, 40, (text) => faultIf(!EMAIL.test(text), 'format'));

export const password = visible(11, 19, (text) => {
  const isStrong = /[a-z]/.test(text) && /[A-Z]/.test(text) && /[^A-Za-z0-9]/.test(text);
  return faultIf(!isStrong, 'weak');
});

export const plate = textRule((text) => faultIf(!PLATE.test(text), 'format'));

/** A word of a list, to the letter. */
export function oneOf(words) {
  return textRule((text) => faultIf(!words.includes(text), 'unknown-value'));
}

/** An integer of a range. */
export function integer(least, most) {
  return {
    isOfType: Number.isInteger,
    faultOf: (number) => faultIf(number < least || number > most, 'range'),
  };
}

/** An id that the database may have; beyond, a number of JavaScript is not exact. */
export const id = integer(1, Number.MAX_SAFE_INTEGER);

const anyAmount = integer(-1_000_000, 1_000_000);

/** How many coins are given, or taken where it is negative. */
export const amount = {
  isOfType: Number.isInteger,
  faultOf: (number) => faultIf(number === 0, 'range') ?? anyAmount.faultOf(number),
};

/** Ids, none of which is there twice. */
export const ids = {
  isOfType: (value) => Array.isArray(value) && value.every(Number.isInteger),
  faultOf: (numbers) => {
    if (numbers.length === 0) return 'too-short';
    if (numbers.length > MOST_IDS) return 'too-long';
    const fault = numbers.map(id.faultOf).find((code) => code !== undefined);
    return fault ?? faultIf(new Set(numbers).size < numbers.length, 'duplicate');
  },
};

function textRule(faultOf) {
  return { isOfType: (value) => typeof value === 'string' && value.isWellFormed(), faultOf };
}

function faultIf(isFault, code = 'characters') {
  return isFault ? code : undefined;
}

/** Of a text of UTF-16 units, which is counted in code points. */
function faultOfLength(text, least, most) {
  const { length } = [...text];
  if (length < least) return 'too-short';
  return length > most ? 'too-long' : undefined;
}
