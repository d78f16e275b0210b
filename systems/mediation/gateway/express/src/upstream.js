/** The client of the upstream leg. */

import { createHttp1Upstream } from './upstream-http1.js';
import { createHttp2Upstream } from './upstream-http2.js';
import { H2, H2C } from './protocol.js';

const UPSTREAM_PATH = '/service/EchoService';

// Short of the SPEC's limits by nothing: they are those of the published gateways.
const TIMEOUTS = Object.freeze({
  connectMs: 10_000,
  answerMs: 30_000,
  idleMs: 60_000,
});

/**
 * `send({query, headers, body, cancelled})` resolves with the answer as soon as its head is there:
 * `{statusCode, headers, body, isWhole}`, where `isWhole` tells at the end of the body whether it was
 * all of it. The body of a request is a stream or text; lists of headers are flat. The emitter
 * `cancelled` ends the exchange by its event `abort`. `close` ends the connections.
 */
export function createUpstream({ origin, protocol, authority }) {
  const overHttp2 = protocol === H2 || protocol === H2C;
  const create = overHttp2 ? createHttp2Upstream : createHttp1Upstream;
  const { send, close } = create({ origin, protocol, authority, timeouts: TIMEOUTS });
  return {
    send: ({ query, ...request }) => send({ path: UPSTREAM_PATH + query, ...request }),
    close,
  };
}
