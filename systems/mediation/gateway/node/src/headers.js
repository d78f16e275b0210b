/** Which header fields travel on. Names are compared in lower case and passed on as they came. */

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

/** The fields of a request, a flat list of names and values, that go to the upstream. */
export function requestHeaders(rawHeaders) {
  return without(rawHeaders, ENDS_HERE);
}

/** The fields of an answer, a flat list of names and values, that go to the client. */
export function responseHeaders(rawHeaders) {
  return without(rawHeaders, HOP_BY_HOP);
}

function without(rawHeaders, ending) {
  const named = namedByConnection(rawHeaders);
  const kept = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i].toLowerCase();
    if (!ending.has(name) && !named.includes(name)) kept.push(rawHeaders[i], rawHeaders[i + 1]);
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
