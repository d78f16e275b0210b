/** The leg to an instance over HTTP/1.1, in cleartext or over TLS, by undici. */

import { Pool } from 'undici';

import { Problem } from './problem.js';

const IDLE_MS = 30_000;
// The limits are the attempts'.
const NO_LIMIT = 0;
const INVALID = 'UND_ERR_INVALID_ARG';
const OK = 200;

export class Http1Upstream {
  #pool;

  /** `connect` opens a connection to the origin. */
  constructor(origin, connect) {
    this.#pool = new Pool(origin, {
      connect: (options, callback) => connect(callback),
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      headersTimeout: NO_LIMIT,
      bodyTimeout: NO_LIMIT,
    });
  }

  /** Sends a request, whose `fields` are a list and whose `body` is a stream or null, and tells the attempt. */
  send({ method, target, fields, body }, attempt) {
    // It would close the connection behind HEAD, and behind a body of some methods.
    const options = { method, path: target, headers: fields, body, reset: false };
    this.#pool.dispatch(options, new Handler(attempt));
  }

  /** Ends the connections as soon as nothing is on them. */
  close() {
    this.#pool.close();
  }
}

/** Tells an attempt what undici tells. */
class Handler {
  #attempt;

  constructor(attempt) {
    this.#attempt = attempt;
  }

  onRequestStart(controller) {
    this.#attempt.connected(() => controller.abort(new Error('it was given up')));
  }

  /** Of the first byte of an answer. */
  onResponseStarted() {
    this.#attempt.heard();
  }

  onResponseStart(controller, status) {
    if (status < OK) return;
    const fields = controller.rawHeaders.map((text) => text.toString('latin1'));
    this.#attempt.begin(status, fields, () => controller.resume());
  }

  onResponseData(controller, part) {
    if (!this.#attempt.write(part)) controller.pause();
  }

  onResponseEnd() {
    this.#attempt.end();
  }

  onResponseError(controller, error) {
    // Nothing is wrong with the instance.
    if (error.code === INVALID) this.#attempt.refuse(new Problem('malformed', { cause: error }));
    else this.#attempt.fail(error);
  }
}
