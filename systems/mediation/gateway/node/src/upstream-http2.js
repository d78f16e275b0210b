/**
 * The upstream leg of HTTP/2, by node:http2. Not by undici, which sends requests whose body is a stream one
 * after the other (nodejs/undici#5494).
 */

import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { urlToHttpOptions } from 'node:url';

import { http2Headers } from './headers.js';

// Before an upstream has said how many streams it allows: the least that RFC 9113 recommends.
const STREAMS_AT_FIRST = 100;

export function createHttp2Upstream({ origin, authority, timeouts }) {
  const connections = new Set();

  function free() {
    for (const connection of connections) if (connection.hasRoom) return connection;
    const gone = () => connections.delete(connection);
    const connection = new Connection(openSession(origin, authority, timeouts), gone);
    connections.add(connection);
    return connection;
  }

  return {
    send: (request) => send(free(), request, timeouts),
    close: () => connections.forEach((connection) => connection.close()),
  };
}

/** One session, from before it is open until it takes no more requests, and what is in flight on it. */
class Connection {
  #opening;
  #session = null;
  #inFlight = 0;

  constructor(opening, gone) {
    opening.then((session) => {
      this.#session = session;
      session.once('goaway', gone);
      session.once('close', gone);
    }, gone);
    this.#opening = opening;
  }

  get hasRoom() {
    const allowed = this.#session?.remoteSettings?.maxConcurrentStreams ?? STREAMS_AT_FIRST;
    return this.#inFlight < allowed && !this.#session?.closed;
  }

  /** Resolves with what `begin` made of the session: a stream, or nothing. */
  async request(begin) {
    this.#inFlight += 1; // also while it opens
    let stream;
    try {
      stream = begin(this.#session ?? (await this.#opening));
    } finally {
      if (stream) stream.once('close', () => (this.#inFlight -= 1));
      else this.#inFlight -= 1;
    }
    return stream;
  }

  close() {
    this.#session?.close();
  }
}

async function openSession(origin, authority, { connectMs, idleMs }) {
  const socket = openSocket(origin, authority);
  const impatience = setTimeout(
    () => socket.destroy(new Error(`no connection within ${connectMs} ms`)),
    connectMs,
  );
  try {
    await once(socket, authority ? 'secureConnect' : 'connect');
  } finally {
    clearTimeout(impatience);
  }
  // node:http2 would speak HTTP/2 to whatever answers.
  if (authority && socket.alpnProtocol !== 'h2') {
    socket.destroy();
    throw new Error('the upstream does not agree to HTTP/2');
  }
  const session = connectHttp2(origin, {
    createConnection: () => socket,
    settings: { enablePush: false },
  });
  session.setTimeout(idleMs, () => session.close());
  // Each stream hears of it as well, and it is there that the failure is told.
  session.on('error', () => {});
  return session;
}

function openSocket(origin, authority) {
  const { hostname: host, port } = urlToHttpOptions(new URL(origin));
  if (!authority) return connectTcp({ host, port: port || 80 });
  return connectTls({
    host,
    port: port || 443,
    ...(!isIP(host) && { servername: host }), // RFC 6066 knows names alone.
    ca: authority,
    ALPNProtocols: ['h2'],
  });
}

async function send(connection, { path, headers, body, cancelled }, timeouts) {
  let gone = false;
  cancelled.once('abort', () => (gone = true));
  const stream = await connection.request((session) =>
    gone ? null : session.request(requestHead(path, headers), { endStream: false }),
  );
  if (stream === null) throw new Error('the client has gone');
  cancelled.once('abort', () => reset(stream));
  if (typeof body === 'string' || Buffer.isBuffer(body)) stream.end(body);
  else body.pipe(stream);
  return answerOf(stream, timeouts);
}

/** Node.js ends the body of a stream that it closes, so that a half one would look complete. */
function reset(stream) {
  if (stream.writableEnded) stream.close(constants.NGHTTP2_CANCEL);
  else stream.destroy(new Error('the client has gone'));
}

function requestHead(path, headers) {
  return {
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: path,
    ...http2Headers(headers),
  };
}

function answerOf(stream, { answerMs }) {
  return new Promise((resolve, reject) => {
    const impatience = setTimeout(
      () => stream.destroy(new Error(`no answer within ${answerMs} ms`)),
      answerMs,
    );
    stream.once('response', (fields, flags, rawHeaders) => {
      clearTimeout(impatience);
      resolve({
        statusCode: fields[constants.HTTP2_HEADER_STATUS],
        headers: rawHeaders,
        body: stream,
        // A stream that is cancelled, by a lost connection too, has an end like one that is complete.
        isWhole: () => stream.rstCode === constants.NGHTTP2_NO_ERROR,
      });
    });
    stream.on('error', reject);
    stream.once('close', () => {
      clearTimeout(impatience);
      reject(new Error(`the stream ended without an answer, by code ${stream.rstCode}`));
    });
  });
}
