/** The server of the client leg, as options of Fastify, and a plugin by which it stops. */

import fp from 'fastify-plugin';

import { PROBLEM_TYPE, Problem } from './problem.js';

// A caller that opens a connection and sends no request holds it as long as one that has had its answer.
const HEADERS_TIMEOUT_MS = 65_000;
// Longer than any pause between two requests of a load, and than the 60 s of SPEC.md.
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
// How soon after its last answer a connection is ended, once the stop was asked for.
const IDLE_CHECK_MS = 20;

export const SERVER_OPTIONS = Object.freeze({
  http: { headersTimeout: HEADERS_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS },
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  // What comes on a connection that is still open while it stops is answered as ever.
  return503OnClosing: false,
  clientErrorHandler: refuseWhatIsNoRequest,
});

/** Ends connections with what is in flight on them; Fastify ends those that are idle when it closes. */
export const drain = fp(async (app) => {
  app.addHook('preClose', async () => {
    setInterval(() => app.server.closeIdleConnections?.(), IDLE_CHECK_MS).unref();
  });
});

/** What is no HTTP has no path, so it is a malformed request. */
function refuseWhatIsNoRequest(error, socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = new Problem('malformed').toText();
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${PROBLEM_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
