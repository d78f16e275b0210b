/** What a conference has to be. Nothing is coerced, and every member with a fault is told of. */

import { Problem } from './problem.js';

const ID = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/;
const MAXIMUM_ID_LENGTH = 64;
const MAXIMUM_NAME_LENGTH = 191;
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f]/;

/** The conference in the body of an insert, or throws a Problem. */
export function newConference(value) {
  const { id, name } = members(value);
  refuseFaults({ '/id': faultOfText(id) ?? faultOfId(id), '/name': faultOfName(name) });
  return { id, name };
}

/** The name in the body of a replace of the conference `id`, or throws a Problem. */
export function newName(value, id) {
  const sent = members(value);
  refuseFaults({ '/id': faultOfSameId(sent.id, id), '/name': faultOfName(sent.name) });
  return sent.name;
}

/** Whether a text is an id. */
export function isId(text) {
  return ID.test(text);
}

function members(value) {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject) refuseFaults({ '': 'type' });
  return value;
}

function refuseFaults(codes) {
  const faults = Object.entries(codes)
    .filter(([, code]) => code !== undefined)
    .map(([pointer, code]) => ({ pointer, code }));
  if (faults.length > 0) throw new Problem('invalid', { faults });
}

function faultOfText(value) {
  if (value === undefined) return 'required';
  if (typeof value !== 'string') return 'type';
  return value === '' ? 'too-short' : undefined;
}

function faultOfId(id) {
  if (isLonger(id, MAXIMUM_ID_LENGTH)) return 'too-long';
  return isId(id) ? undefined : 'pattern';
}

function faultOfSameId(sent, id) {
  if (sent === undefined || sent === id) return undefined;
  return typeof sent === 'string' ? 'mismatch' : 'type';
}

function faultOfName(name) {
  const fault = faultOfText(name);
  if (fault !== undefined) return fault;
  if (isLonger(name, MAXIMUM_NAME_LENGTH)) return 'too-long';
  // Half a surrogate pair is no character, and has no UTF-8.
  return CONTROLS.test(name) || !name.isWellFormed() ? 'characters' : undefined;
}

/** Whether a text has more code points; of UTF-16 units it has up to twice as many. */
function isLonger(text, most) {
  return text.length > most && (text.length > 2 * most || [...text].length > most);
}
