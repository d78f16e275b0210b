/** The server of the callers: how long it keeps them, and how it stops. */

import { type RequestListener, type Server, createServer as createHttpServer } from 'node:http';
import type { Duplex } from 'node:stream';

import { PROBLEM_TYPE, Problem } from './problem.js';

// A caller that opens a connection and sends no request holds it as long as one that has had its answer.
const HEADERS_TIMEOUT_MS = 65_000;
// Longer than any pause between two requests of a load, and than the 60 s of SPEC.md.
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
// How soon after its last answer a connection is ended, once the stop was asked for.
const IDLE_CHECK_MS = 20;
// Above the users of any workload, so that none is refused while the event loop is busy.
const BACKLOG = 1024;

export function createServer(listener: RequestListener): Server {
  const server = createHttpServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS },
    listener,
  );
  server.on('clientError', refuseWhatIsNoRequest);
  return server;
}

/** Resolves with the port; rejects where it is in use. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Resolves when all connections have ended: each with what is in flight on it, and those that are idle at once. */
export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    setInterval(() => {
      server.closeIdleConnections();
    }, IDLE_CHECK_MS).unref();
  });
}

/** What is no HTTP has no path, so it is a malformed request. */
function refuseWhatIsNoRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
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
