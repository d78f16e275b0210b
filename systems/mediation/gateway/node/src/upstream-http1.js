/** The upstream leg of HTTP/1.1, in cleartext or over TLS, by undici. */

// By its file: for the bare name Bun gives a stand-in of its own, whose Pool answers nothing.
import { Pool } from 'undici/index.js';

import { H2_DOWNGRADE } from './protocol.js';

// The pool looks for a free one by asking each in turn. Requests beyond these wait for one.
const MOST_CONNECTIONS = 128;

export function createHttp1Upstream({ origin, protocol, authority, timeouts }) {
  const pool = new Pool(origin, {
    connections: MOST_CONNECTIONS,
    pipelining: 1,
    connect: { timeout: timeouts.connectMs, ca: authority ?? undefined },
    allowH2: protocol === H2_DOWNGRADE, // offers it, besides HTTP/1.1
    headersTimeout: timeouts.answerMs,
    keepAliveTimeout: timeouts.idleMs,
  });
  return { send: (request) => send(pool, request), close: () => pool.close() };
}

async function send(pool, { path, headers, body, cancelled }) {
  const answer = await pool.request({
    method: 'POST',
    path,
    headers,
    body,
    signal: cancelled, // undici takes an emitter, which is much cheaper to make than an AbortSignal
    responseHeaders: 'raw',
  });
  return {
    statusCode: answer.statusCode,
    headers: answer.headers,
    body: answer.body,
    isWhole: () => true, // A body that breaks off has no end, but an error.
  };
}
