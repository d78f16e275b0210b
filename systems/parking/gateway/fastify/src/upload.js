/** The body of a request on its way to an instance. */

import { constants } from 'node:http2';
import { Readable } from 'node:stream';

import { Problem } from './problem.js';

export const MAXIMUM_BYTES = 1_048_576;
// Read of what is sent beyond.
const MAXIMUM_DROPPED_BYTES = 2 * 1024 * 1024;

/** Whether a request of Node.js has a body, which may be empty. */
export function hasBody(raw) {
  if (raw.stream !== undefined) return !raw.stream.endAfterHeaders;
  const { 'transfer-encoding': coding, 'content-length': length } = raw.headers;
  return coding !== undefined || Number(length ?? 0) > 0;
}

/** What of a request is read once it is asked for, and not before. It fails by a Problem where the body has one. */
export class Upload extends Readable {
  #raw;
  #size = 0;
  #hasBegun = false;

  constructor(raw) {
    super();
    this.#raw = raw;
    this.on('error', () => {}); // Whoever asks for it may have given it up.
  }

  /** Whether a part of it may be gone. */
  get hasBegun() {
    return this.#hasBegun;
  }

  _read() {
    if (!this.#hasBegun) this.#begin();
    this.#raw.resume();
  }

  _destroy(error, callback) {
    this.#raw.off('data', this.#take);
    callback(error);
  }

  #begin() {
    this.#hasBegun = true;
    this.#raw.on('data', this.#take);
    this.#raw.once('end', () => (isWhole(this.#raw) ? this.push(null) : this.#breakOff()));
    this.#raw.once('close', () => this.#raw.readableEnded || this.#breakOff());
  }

  #take = (part) => {
    this.#size += part.length;
    if (this.#size > MAXIMUM_BYTES) this.destroy(new Problem('too-large'));
    else if (!this.push(part)) this.#raw.pause();
  };

  #breakOff() {
    this.destroy(new Problem('malformed'));
  }
}

/**
 * Reads on and drops what comes of a body that is not wanted, so that its sender comes to look for the answer. Where
 * it is too much, it is given up behind the answer.
 */
export function dropRest(raw, answer) {
  const out = raw.stream ?? answer;
  let dropped = 0;
  raw.on('data', (part) => {
    dropped += part.length;
    if (dropped <= MAXIMUM_DROPPED_BYTES) return;
    raw.pause();
    if (out.writableFinished) giveUp(raw);
    else out.once('finish', () => giveUp(raw));
  });
  raw.resume();
}

/** Node.js ends a stream of HTTP/2 that was cancelled as one that is complete. */
function isWhole({ stream }) {
  return stream === undefined || stream.rstCode === constants.NGHTTP2_NO_ERROR;
}

/** A stream of HTTP/2 is ended alone, and else the connection. */
function giveUp(raw) {
  if (raw.stream === undefined) raw.destroy();
  else raw.stream.close();
}
