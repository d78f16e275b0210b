/**
 * Which header fields travel on, and how they change between versions of HTTP. A list of fields is flat,
 * names and values by turns; names are compared in lower case and passed on as they came.
 */

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

// The client of the upstream leg writes Host itself, and node:http has answered Expect already.
const ENDS_HERE = new Set([...HOP_BY_HOP, 'host', 'expect']);

/** The fields of a request that go to the upstream. */
export function requestHeaders({ httpVersionMajor, rawHeaders }) {
  return without(httpVersionMajor === 2 ? joinCookies(rawHeaders) : rawHeaders, ENDS_HERE);
}

/** The fields of an answer that go to the client. */
export function responseHeaders(rawHeaders) {
  return without(rawHeaders, HOP_BY_HOP);
}

/** The fields as node:http2 takes them: in lower case, repeated ones in an array. */
export function http2Headers(rawHeaders) {
  const headers = Object.create(null);
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i].toLowerCase();
    const value = rawHeaders[i + 1];
    if (!(name in headers)) headers[name] = value;
    else if (Array.isArray(headers[name])) headers[name].push(value);
    else headers[name] = [headers[name], value];
  }
  return headers;
}

/** The value of a field, by its name in lower case; undefined where there is none. */
export function field(rawHeaders, name) {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i].toLowerCase() === name) return rawHeaders[i + 1];
  }
  return undefined;
}

function without(rawHeaders, ending) {
  const named = namedByConnection(rawHeaders);
  const kept = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i].toLowerCase();
    if (ending.has(name) || named.includes(name) || isPseudo(name)) continue;
    kept.push(rawHeaders[i], rawHeaders[i + 1]);
  }
  return kept;
}

function namedByConnection(rawHeaders) {
  const names = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i].toLowerCase() === 'connection') {
      names.push(...rawHeaders[i + 1].split(',').map((name) => name.trim().toLowerCase()));
    }
  }
  return names;
}

/** HTTP/2 begins its lists with pseudo-header fields, which say what HTTP/1.1 has in its first line. */
function isPseudo(name) {
  return name.startsWith(':');
}

/** HTTP/2 may send a cookie in crumbs, which HTTP/1.1 has in one field (RFC 9113, 8.2.3). */
function joinCookies(rawHeaders) {
  const headers = [];
  const crumbs = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i] === 'cookie') crumbs.push(rawHeaders[i + 1]);
    else headers.push(rawHeaders[i], rawHeaders[i + 1]);
  }
  if (crumbs.length > 0) headers.push('cookie', crumbs.join('; '));
  return headers;
}
