/**
 * The leg to an instance over HTTP/2, by node:http2. Not by undici, which sends requests whose body is a stream one
 * after the other (nodejs/undici#5494).
 */

import { connect as connectHttp2, constants } from 'node:http2';

import { http2RequestFields } from './fields.js';
import { Problem } from './problem.js';

const IDLE_MS = 30_000;
// Before an instance has said how many streams it allows: the least that RFC 9113 recommends.
const STREAMS_AT_FIRST = 100;
// For all that is on one connection; Node's default is less than its streams' windows hold.
const SESSION_MEGABYTES = 64;

const { HTTP2_HEADER_METHOD, HTTP2_HEADER_PATH, HTTP2_HEADER_STATUS } = constants;
const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

export class Http2Upstream {
  #origin;
  #connect;
  #connections = new Set();

  /** `connect` opens a connection to the origin. */
  constructor(origin, connect) {
    this.#origin = origin;
    this.#connect = connect;
  }

  /** Sends a request, whose `fields` are a list and whose `body` is a stream or null, and tells the attempt. */
  send(request, attempt) {
    this.#free().send(request, attempt);
  }

  /** Ends the connections as soon as nothing is on them. */
  close() {
    this.#connections.forEach((connection) => connection.close());
  }

  #free() {
    for (const connection of this.#connections) if (connection.hasRoom) return connection;
    const forget = () => this.#connections.delete(connection);
    const connection = new Connection(this.#origin, this.#connect, forget);
    this.#connections.add(connection);
    return connection;
  }
}

/** One session, from before it is open until it takes no more requests, and what is in flight on it. */
class Connection {
  #session = null;
  // What it has to do once it is open, or cannot be; nothing afterwards.
  #waiting = [];
  #inFlight = 0;
  #mostInFlight = STREAMS_AT_FIRST;
  #idle = null;

  /** `forget` is called as soon as it takes no more requests. */
  constructor(origin, connect, forget) {
    connect((error, socket) => {
      if (error === null) this.#open(origin, socket, forget);
      else forget();
      const waiting = this.#waiting;
      this.#waiting = null;
      waiting.forEach((begin) => begin(error));
    });
  }

  get hasRoom() {
    if (this.#session === null) return this.#waiting?.length < STREAMS_AT_FIRST;
    return this.#isOpen && this.#inFlight < this.#mostInFlight;
  }

  send(request, attempt) {
    if (this.#session !== null) this.#begin(request, attempt);
    else {
      this.#waiting.push((error) => {
        if (error === null) this.#begin(request, attempt);
        else attempt.fail(error);
      });
    }
  }

  close() {
    this.#session?.close();
  }

  get #isOpen() {
    return !this.#session.closed && !this.#session.destroyed;
  }

  #open(origin, socket, forget) {
    this.#session = connectHttp2(origin, {
      createConnection: () => socket,
      settings: { enablePush: false },
      maxSessionMemory: SESSION_MEGABYTES,
    });
    this.#session.on('remoteSettings', ({ maxConcurrentStreams }) => {
      this.#mostInFlight = maxConcurrentStreams ?? STREAMS_AT_FIRST;
    });
    this.#session.once('goaway', forget);
    this.#session.once('close', forget);
    // Each stream hears of it as well, and it is there that the failure is told.
    this.#session.on('error', () => {});
    this.#rest();
  }

  #begin(request, attempt) {
    if (attempt.isOver) return;
    clearTimeout(this.#idle);
    const stream = this.#request(request, attempt);
    if (stream === null) {
      this.#rest();
      return;
    }
    this.#inFlight += 1;
    stream.once('close', () => {
      this.#inFlight -= 1;
      this.#rest();
    });
    attempt.connected(() => reset(stream));
    listen(stream, attempt);
    request.body?.pipe(stream);
  }

  /** A stream, or nothing where node:http2 does not take the request. */
  #request({ method, target, fields, body }, attempt) {
    const head = {
      [HTTP2_HEADER_METHOD]: method,
      [HTTP2_HEADER_PATH]: target,
      ...http2RequestFields(fields),
    };
    try {
      return this.#session.request(head, { endStream: body === null });
    } catch (error) {
      if (this.#isOpen) attempt.refuse(new Problem('malformed', { cause: error }));
      else attempt.fail(error);
      return null;
    }
  }

  /** Ends it where nothing is on it for long. */
  #rest() {
    clearTimeout(this.#idle);
    if (this.#inFlight > 0 || !this.#isOpen) return;
    this.#idle = setTimeout(() => this.close(), IDLE_MS);
    this.#idle.unref();
  }
}

/** Tells an attempt what becomes of its stream. */
function listen(stream, attempt) {
  stream.once('response', (fields, flags, rawFields) => {
    attempt.heard();
    attempt.begin(fields[HTTP2_HEADER_STATUS], rawFields, () => stream.resume());
  });
  stream.on('data', (part) => {
    if (!attempt.write(part)) stream.pause();
  });
  // A stream that is cancelled, by a lost connection too, has an end like one that is complete.
  stream.once('end', () => {
    if (stream.rstCode !== NGHTTP2_NO_ERROR) return;
    attempt.end();
    // Nobody wants what is left of the request.
    if (!stream.writableEnded) reset(stream);
  });
  stream.on('error', () => {}); // It is closed then, too.
  stream.once('close', () => {
    const { rstCode } = stream;
    const error = new Error(`the stream ended without an answer, by code ${rstCode}`);
    attempt.fail(error, rstCode === NGHTTP2_REFUSED_STREAM);
  });
}

/** Node.js ends the body of a stream that it closes, so that a half one would look complete. */
function reset(stream) {
  if (stream.writableEnded) stream.close(NGHTTP2_CANCEL);
  else stream.destroy(new Error('it was given up'));
}
