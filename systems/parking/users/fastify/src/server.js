/** The server of the leg that callers come by: its options, and a plugin by which its connections live and end. */

import { STATUS_CODES } from 'node:http';

import fp from 'fastify-plugin';

import { PROBLEM_TYPE, Problem } from './problem.js';
import { H1, H1C, H2, H2C, isHttp2, isOverTls } from './protocol.js';

// Longer than any pause between two requests of a load, and than the 60 s of SPEC.md. A caller that opens a
// connection and sends no request holds it as long as one that has had its answer.
const IDLE_TIMEOUT_MS = 65_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
// Node's default is no limit.
const MAXIMUM_STREAMS = 250;
// Between the 15 KiB that pass and the 24 KiB that do not, as HTTP/2 counts them; for HTTP/1.1 Node.js has 16 KiB.
const MAXIMUM_HEAD_BYTES = 20_480;
// What HTTP/2 counts besides for each field (RFC 9113, 6.5.2).
const FIELD_BYTES = 32;
// More than there is room for.
const MAXIMUM_FIELDS = 1_000;
// For all that is on one connection of HTTP/2; Node's default is less than its streams' windows hold.
const SESSION_MEGABYTES = 64;
// How soon after its last answer a connection is ended, once the stop was asked for.
const IDLE_CHECK_MS = 20;

// Node.js would answer a request without Host and then read the next one. The plugin looks at it instead.
const HTTP1 = { requireHostHeader: false };
const HTTP2 = {
  maxSessionMemory: SESSION_MEGABYTES,
  maxHeaderListPairs: MAXIMUM_FIELDS,
  settings: { maxConcurrentStreams: MAXIMUM_STREAMS, maxHeaderListSize: MAXIMUM_HEAD_BYTES },
};
// node:http2 does not set noDelay for its callers of HTTP/1.1, as node:https does.
const TLS = { handshakeTimeout: HANDSHAKE_TIMEOUT_MS, noDelay: true };

const OPTIONS = {
  [H1C]: () => ({ http: HTTP1 }),
  [H1]: (keyPair) => ({ https: { ...HTTP1, ...TLS, ...keyPair, ALPNProtocols: ['http/1.1'] } }),
  [H2C]: () => ({ http2: true, http: HTTP2 }),
  [H2]: (keyPair) => ({
    http2: true,
    https: { ...HTTP1, ...HTTP2, ...TLS, ...keyPair, allowHTTP1: true },
  }),
};

// The answers that are being given, by their connections of HTTP/1.1.
const answers = new WeakMap();
// Connections on which something came that is no HTTP: what comes behind it is nobody's request.
const over = new WeakSet();

/** The options of Fastify for a leg. */
export function serverOptions({ protocol, keyPair }) {
  return {
    ...OPTIONS[protocol](keyPair),
    http2SessionTimeout: IDLE_TIMEOUT_MS,
    // What comes on a connection that is still open while it stops is answered as ever.
    return503OnClosing: false,
    clientErrorHandler: refuseWhatIsNoRequest,
  };
}

/** Keeps connections, refuses what is no HTTP, and ends connections with what is in flight on them. */
export const connections = fp(async (app, { protocol }) => {
  const { server } = app;
  const unused = new Set();
  const sessions = new Set();
  let isStopping = false;

  // After they were made: node:http2 takes no such options for its callers of HTTP/1.1.
  server.keepAliveTimeout = IDLE_TIMEOUT_MS;
  server.headersTimeout = IDLE_TIMEOUT_MS;
  server.requestTimeout = 0;

  server.on('session', (session) => {
    if (isStopping) session.close();
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  // What Node.js ends as idle has had a request before.
  if (protocol !== H2C) {
    server.on(isOverTls(protocol) ? 'secureConnection' : 'connection', (socket) => {
      if (socket.alpnProtocol === 'h2') return;
      if (isStopping) socket.destroy();
      unused.add(socket);
      socket.once('close', () => unused.delete(socket));
    });
    server.on('request', (raw) => {
      if (raw.httpVersionMajor === 1) unused.delete(raw.socket);
    });
  }
  // Nothing but 100-continue is expected, and Node.js has met that.
  server.on('checkExpectation', (raw, answer) => server.emit('request', raw, answer));

  app.addHook('onRequest', isHttp2(protocol) ? look : lookAtHttp1);

  app.addHook('preClose', async () => {
    isStopping = true;
    unused.forEach((socket) => socket.destroy());
    sessions.forEach((session) => session.close()); // by GOAWAY
    setInterval(() => server.closeIdleConnections?.(), IDLE_CHECK_MS).unref();
  });
});

function look(request, reply, done) {
  const { raw } = request;
  if (raw.httpVersionMajor === 1) lookAtHttp1(request, reply, done);
  // Node.js keeps to its own limit only once the caller has said that it knows of it.
  else if (sizeOf(raw.rawHeaders) > MAXIMUM_HEAD_BYTES) done(new Problem('fields-too-large'));
  else done();
}

function lookAtHttp1({ raw }, reply, done) {
  const { socket } = raw;
  if (over.has(socket)) {
    reply.hijack(); // without an answer: the connection is just ending
    return;
  }
  answers.set(socket, reply.raw);
  if (isHttp1(raw)) {
    done();
    return;
  }
  over.add(socket);
  reply.header('connection', 'close');
  done(new Problem('malformed'));
}

/** Whether there is one Host, and a body in chunks is in nothing else besides. */
function isHttp1({ rawHeaders, headers, httpVersionMinor }) {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index].length === 4 && rawHeaders[index].toLowerCase() === 'host') hosts += 1;
  }
  const coding = headers['transfer-encoding']?.toLowerCase() ?? 'chunked';
  return coding === 'chunked' && (hosts === 1 || (hosts === 0 && httpVersionMinor === 0));
}

function sizeOf(rawHeaders) {
  let size = 0;
  for (const text of rawHeaders) size += text.length;
  return size + FIELD_BYTES * (rawHeaders.length / 2);
}

/** What Node.js cannot read as HTTP/1.1. Others of its errors are of callers that have gone, or of TLS. */
function refuseWhatIsNoRequest({ code }, socket) {
  over.add(socket);
  if (!code?.startsWith('HPE_') || !socket.writable || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const problem = new Problem(code === 'HPE_HEADER_OVERFLOW' ? 'fields-too-large' : 'malformed');
  const body = problem.toText();
  socket.write(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\nContent-Type: ${PROBLEM_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  socket.destroySoon();
}

/** Whether an answer has begun, of which another one would become a part. */
function isAnswering(socket) {
  const answer = answers.get(socket);
  return answer !== undefined && answer.headersSent && !answer.writableFinished;
}
