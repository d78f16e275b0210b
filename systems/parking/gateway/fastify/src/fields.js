/**
 * Which fields travel on, and how they change between versions of HTTP. A list of fields is flat, names and values by
 * turns, as Node.js has it; names are compared in lower case and passed on as they came.
 */

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

// Host is that of the instance, and Expect has been met. The others are the gateway's to set, or to keep.
const OF_REQUESTS = new Set([
  ...HOP_BY_HOP,
  'authorization',
  'expect',
  'host',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
  'x-user-id',
  'x-user-role',
]);
const OF_ANSWERS = new Set([
  ...HOP_BY_HOP,
  'access-control-allow-origin',
  'access-control-expose-headers',
  'x-request-id',
]);

// Of an upgrade to HTTP/2 that nobody makes; node:http2 does not send it.
const NOT_ON_HTTP2 = 'http2-settings';

/** The values of a field, by its name in lower case. */
export function valuesOf(fields, name) {
  const values = [];
  for (let index = 0; index < fields.length; index += 2) {
    const { length } = fields[index];
    if (length === name.length && fields[index].toLowerCase() === name) {
      values.push(fields[index + 1]);
    }
  }
  return values;
}

/** The fields of a request that go to an instance, before `own` ones. */
export function requestFields({ rawHeaders, httpVersionMajor }, own) {
  const kept = without(rawHeaders, OF_REQUESTS);
  return (httpVersionMajor === 1 ? kept : withJoinedCookie(kept)).concat(own);
}

/** The fields of an answer that go to the caller, before `own` ones. */
export function answerFields(fields, own) {
  return without(fields, OF_ANSWERS).concat(own);
}

/** A request's fields as node:http2 takes them: repeated ones in one, since it refuses some that are there twice. */
export function http2RequestFields(fields) {
  const taken = Object.create(null);
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index].toLowerCase();
    const value = fields[index + 1];
    if (name === NOT_ON_HTTP2) continue;
    if (!(name in taken)) taken[name] = value;
    else taken[name] += (name === 'cookie' ? '; ' : ', ') + value;
  }
  return taken;
}

/** An answer's fields as node:http2 takes them: repeated ones in a list. */
export function http2AnswerFields(fields) {
  const taken = Object.create(null);
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index].toLowerCase();
    const value = fields[index + 1];
    if (!(name in taken)) taken[name] = value;
    else if (Array.isArray(taken[name])) taken[name].push(value);
    else taken[name] = [taken[name], value];
  }
  return taken;
}

function without(fields, ending) {
  const named = namesIn(valuesOf(fields, 'connection'));
  const kept = [];
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index].toLowerCase();
    if (ending.has(name) || named.includes(name) || isPseudo(name)) continue;
    kept.push(fields[index], fields[index + 1]);
  }
  return kept;
}

function namesIn(lists) {
  return lists.flatMap((list) => list.split(',').map((name) => name.trim().toLowerCase()));
}

/** HTTP/2 begins its lists with pseudo-header fields, which say what HTTP/1.1 has in its first line. */
function isPseudo(name) {
  return name.startsWith(':');
}

/** HTTP/2 may send a cookie in crumbs, which HTTP/1.1 has in one field (RFC 9113, 8.2.3). */
function withJoinedCookie(fields) {
  const crumbs = valuesOf(fields, 'cookie');
  if (crumbs.length < 2) return fields;
  const joined = [];
  for (let index = 0; index < fields.length; index += 2) {
    if (fields[index] !== 'cookie') joined.push(fields[index], fields[index + 1]);
  }
  joined.push('cookie', crumbs.join('; '));
  return joined;
}
