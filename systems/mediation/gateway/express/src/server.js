/** The server of the client leg. */

import { createServer as createHttp } from 'node:http';
import { createServer as createHttp2, createSecureServer as createHttp2OverTls } from 'node:http2';
import { createServer as createHttps } from 'node:https';

import { H1, H1C, H2, H2C, H2_DOWNGRADE } from './protocol.js';

// A client that opens a connection and sends no request must not hold it for ever.
const HEADERS_TIMEOUT_MS = 10_000;
// Longer than any pause between two requests of a load.
const KEEP_ALIVE_TIMEOUT_MS = 60_000;
// Node's default is no limit.
const MAXIMUM_STREAMS = 250;
// How soon after its last answer a connection is ended, once the stop was asked for.
const IDLE_CHECK_MS = 20;

const HTTP1 = { headersTimeout: HEADERS_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS };
const HTTP2 = { settings: { maxConcurrentStreams: MAXIMUM_STREAMS } };
// node:http2 does not set noDelay for its callers of HTTP/1.1, as node:https does.
const TLS = { handshakeTimeout: HEADERS_TIMEOUT_MS, noDelay: true };

const CREATE = {
  [H1C]: (keyPair, listener) => createHttp(HTTP1, listener),
  [H1]: (keyPair, listener) =>
    createHttps({ ...HTTP1, ...TLS, ...keyPair, ALPNProtocols: ['http/1.1'] }, listener),
  [H2C]: (keyPair, listener) => createHttp2(HTTP2, listener),
  [H2]: (keyPair, listener) => createHttp2OverTls({ ...HTTP2, ...TLS, ...keyPair }, listener),
  [H2_DOWNGRADE]: (keyPair, listener) =>
    createHttp2OverTls({ ...HTTP1, ...HTTP2, ...TLS, ...keyPair, allowHTTP1: true }, listener),
};

/** A server that does not listen yet, and `stop(done)`, which lets it finish what is in flight. */
export function createServer({ protocol, keyPair }, listener) {
  const server = CREATE[protocol](keyPair, listener);
  const sessions = new Set();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.setTimeout(KEEP_ALIVE_TIMEOUT_MS, () => session.close());
  });
  const stop = (done) => {
    server.close(done);
    // Tells the client by GOAWAY, and ends with the last stream.
    sessions.forEach((session) => session.close());
    // `close` ends the connections of HTTP/1.1 that are idle; these become so with their last answer.
    setInterval(() => server.closeIdleConnections?.(), IDLE_CHECK_MS).unref();
  };
  return { server, stop };
}
