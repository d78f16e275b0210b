/** The server of the client leg, as options of Fastify, and a plugin by which it stops. */

import fp from 'fastify-plugin';

import { H1, H1C, H2, H2C, H2_DOWNGRADE } from './protocol.js';

// A caller that opens a connection and sends no request must not hold it for ever.
const HEADERS_TIMEOUT_MS = 10_000;
// Longer than any pause between two requests of a load.
const KEEP_ALIVE_TIMEOUT_MS = 60_000;
// Node's default is no limit.
const MAXIMUM_STREAMS = 250;
// How soon after its last answer a connection is ended, once the stop was asked for.
const IDLE_CHECK_MS = 20;

const HTTP1 = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  joinDuplicateHeaders: true,
};
const HTTP2 = { settings: { maxConcurrentStreams: MAXIMUM_STREAMS } };
// node:http2 does not set noDelay for its callers of HTTP/1.1, as node:https does.
const TLS = { handshakeTimeout: HEADERS_TIMEOUT_MS, noDelay: true };

const OPTIONS = {
  [H1C]: () => ({ http: HTTP1 }),
  [H1]: (keyPair) => ({ https: { ...HTTP1, ...TLS, ...keyPair, ALPNProtocols: ['http/1.1'] } }),
  [H2C]: () => ({ http2: true, http: HTTP2 }),
  [H2]: (keyPair) => ({ http2: true, https: { ...HTTP2, ...TLS, ...keyPair } }),
  [H2_DOWNGRADE]: (keyPair) => ({
    http2: true,
    https: { ...HTTP1, ...HTTP2, ...TLS, ...keyPair, allowHTTP1: true },
  }),
};

export function serverOptions({ protocol, keyPair }) {
  return {
    ...OPTIONS[protocol](keyPair),
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http2SessionTimeout: KEEP_ALIVE_TIMEOUT_MS,
  };
}

/** Ends connections with what is in flight on them; Fastify ends those that are idle when it closes. */
export const drain = fp(async (app) => {
  const sessions = new Set();
  app.server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  app.addHook('preClose', async () => {
    sessions.forEach((session) => session.close()); // by GOAWAY
    setInterval(() => app.server.closeIdleConnections?.(), IDLE_CHECK_MS).unref();
  });
});
