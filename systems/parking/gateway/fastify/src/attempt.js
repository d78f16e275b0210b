/** One try of a request at one instance, from the way to a connection to the end of its answer. */

import { Problem } from './problem.js';

/** An attempt has failed before the first byte of an answer; `mayBeSent` tells whether any request may be sent again. */
export class FailedAttempt extends Error {
  constructor({ message }, mayBeSent) {
    super(message);
    this.mayBeSent = mayBeSent;
  }
}

/** The client of the leg tells it what happens, and it tells the exchange. */
export class Attempt {
  isOver = false;
  /**
   * Resolves once the exchange is over. Rejects where it is to be answered otherwise: with a Problem, or with a
   * FailedAttempt.
   */
  result;
  #resolve;
  #reject;
  #exchange;
  #limitMs;
  #timer;
  #abort;
  #isHeard = false;
  #hasBegun = false;

  /** `limitMs` bounds the wait for the head of an answer, once the whole request was passed on. */
  constructor(exchange, limitMs) {
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#exchange = exchange;
    this.#limitMs = limitMs;
    exchange.onLeave = () => this.isOver || this.#settle(this.#resolve);
  }

  /** There is a connection, and the request is about to be sent; `abort` gives it up. */
  connected(abort) {
    this.#abort = abort;
    if (this.isOver) {
      abort();
      return;
    }
    const { upload } = this.#exchange;
    if (upload === null) {
      this.#startWaiting();
    } else {
      upload.once('end', () => this.#startWaiting());
      upload.once('error', (problem) => this.refuse(problem));
    }
  }

  /** The first byte of an answer is there. */
  heard() {
    this.#isHeard = true;
  }

  /** The head of an answer is there; `resume` is called where parts of it are wanted again. */
  begin(status, fields, resume) {
    if (this.isOver) return;
    this.#hasBegun = true;
    clearTimeout(this.#timer);
    this.#exchange.onDrain = resume;
    try {
      this.#exchange.begin(status, fields);
    } catch (cause) {
      this.#settle(this.#reject, new Problem('upstream', { cause }));
    }
  }

  /** Passes on a part of an answer, and tells whether the next one is wanted now. */
  write(part) {
    return this.isOver || this.#exchange.write(part);
  }

  /** The answer is whole. */
  end() {
    if (this.isOver || !this.#hasBegun) return;
    this.isOver = true;
    this.#exchange.end();
    this.#resolve();
  }

  /** It broke; `isUnprocessed` where the instance said that it has not done anything. */
  fail(error, isUnprocessed = false) {
    if (this.isOver) return;
    if (error instanceof Problem) {
      this.refuse(error); // The body's, which the client of the leg may hear of first.
      return;
    }
    if (this.#hasBegun) this.#breakOff();
    else if (this.#isHeard) this.#settle(this.#reject, new Problem('upstream', { cause: error }));
    else {
      const mayBeSent = this.#abort === undefined || isUnprocessed;
      this.#settle(this.#reject, new FailedAttempt(error, mayBeSent));
    }
  }

  /** It is not the instance that failed. */
  refuse(problem) {
    if (this.isOver) return;
    if (this.#hasBegun) this.#breakOff();
    else this.#settle(this.#reject, problem);
  }

  #startWaiting() {
    if (this.isOver || this.#hasBegun) return;
    const late = () => this.refuse(new Problem('upstream-timeout'));
    this.#timer = setTimeout(late, this.#limitMs);
  }

  #breakOff() {
    this.#exchange.breakOff();
    this.#settle(this.#resolve);
  }

  #settle(settle, value) {
    this.isOver = true;
    clearTimeout(this.#timer);
    settle(value);
    this.#abort?.();
  }
}
