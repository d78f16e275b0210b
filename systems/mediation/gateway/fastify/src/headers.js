/**
 * Which header fields travel on. @fastify/reply-from ends those that Connection of a request names, and
 * nothing else that RFC 9110 (7.6.1) ends here.
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

/** The fields of a request that go to the upstream; Node.js has answered Expect already. */
export function requestHeaders({ raw }, headers) {
  const ending = [...HOP_BY_HOP, 'expect'];
  // The plugin gives one to a body that it is handed as bytes.
  if (raw.headers['content-type'] === undefined) ending.push('content-type');
  return without(headers, ending);
}

/** The fields of an answer that go to the caller. */
export function responseHeaders(headers) {
  return without(headers, [...HOP_BY_HOP, ...namedBy(headers.connection)]);
}

/** Of a request of the gateway's own, whose body has this type. */
export function ownHeaders(request, headers) {
  return {
    host: headers.host,
    'content-type': headers['content-type'],
    'content-length': headers['content-length'],
  };
}

function without(headers, ending) {
  const kept = { ...headers };
  for (const name of ending) delete kept[name];
  return kept;
}

/** The names in Connection, which may be repeated. */
function namedBy(connection = []) {
  return [connection]
    .flat()
    .flatMap((value) => value.split(','))
    .map((name) => name.trim().toLowerCase());
}
