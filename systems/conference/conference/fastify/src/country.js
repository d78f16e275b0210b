/** The client of the service `country`: attempts, retries and what counts as an answer. */

import { setTimeout as sleep } from 'node:timers/promises';

// By its file: for the bare name Bun gives a stand-in of its own, whose Pool answers nothing.
import { Pool } from 'undici/index.js';

import { Breaker, NO_BREAKER } from './breaker.js';
import { BROKEN, Cancelled, LATE, exchange } from './exchange.js';
import { Problem } from './problem.js';

// Longer than any pause between two requests of a load.
const IDLE_TIMEOUT_MS = 60_000;
const MOST_BYTES = 64 * 1024;
const MOST_BATCH_BYTES = 1024 * 1024;

const OK = 200;
const INTERNAL_SERVER_ERROR = 500;
const RETRIED = new Set([502, 503, 504]);
const JSON_FIELDS = Object.freeze({ 'content-type': 'application/json' });

// What encodeURIComponent leaves, though RFC 3986 reserves it.
const RESERVED = /[!'()*]/g;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Looks countries up; each look-up rejects with a Problem, or with Cancelled once its signal is aborted. */
export class Country {
  #pool;
  #config;
  #breaker;

  constructor(config) {
    const { origin, connections, timeoutMs, hasBreaker } = config;
    this.#config = config;
    this.#breaker = hasBreaker ? new Breaker() : NO_BREAKER;
    this.#pool = new Pool(origin, {
      connections,
      pipelining: 1,
      connect: { timeout: timeoutMs },
      // One timer limits the whole attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
    });
  }

  /** The country of one name. */
  async one(name, signal) {
    const request = { path: `/conferences/${escapeSegment(name)}/country`, method: 'GET' };
    const { name: country } = await this.#ask(request, MOST_BYTES, signal);
    if (typeof country !== 'string') throw otherAnswer();
    return country;
  }

  /** The countries of some names, in their order. */
  async batch(names, signal) {
    const body = JSON.stringify({ names });
    const request = { path: '/countries', method: 'POST', headers: JSON_FIELDS, body };
    const { countries } = await this.#ask(request, MOST_BATCH_BYTES, signal);
    const isGood =
      Array.isArray(countries) &&
      countries.length === names.length &&
      countries.every((country) => typeof country === 'string');
    if (!isGood) throw otherAnswer();
    return countries;
  }

  async close() {
    await this.#pool.destroy();
  }

  /** The object of a good answer. */
  async #ask(request, mostBytes, signal) {
    const { retries, retryIntervalMs } = this.#config;
    let answer = await this.#attempt(request, mostBytes, signal);
    for (let left = retries; left > 0 && isRetried(answer); left -= 1) {
      await sleep(retryIntervalMs, undefined, { signal }).catch(() => {});
      answer = await this.#attempt(request, mostBytes, signal);
    }
    const { status, failure, cause, bytes } = answer;
    if (failure === LATE) throw new Problem('country-timeout', { cause });
    if (failure !== undefined) throw new Problem('country-failed', { cause });
    if (status !== OK) throw failed(`status ${status}`);
    return parseObject(bytes);
  }

  async #attempt(request, mostBytes, signal) {
    if (signal.aborted) throw new Cancelled();
    if (!this.#breaker.admits()) throw new Problem('country-open');
    const { timeoutMs } = this.#config;
    try {
      const answer = await exchange(this.#pool, request, { timeoutMs, mostBytes, signal });
      this.#breaker.record(isFailed(answer));
      return answer;
    } catch (error) {
      this.#breaker.giveUp();
      throw error;
    }
  }
}

/** As one segment of a path: every byte but those that are never reserved is escaped. */
export function escapeSegment(name) {
  return encodeURIComponent(name).replace(
    RESERVED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function isRetried({ failure, status }) {
  return failure === BROKEN || RETRIED.has(status);
}

/** Whether an attempt counts as failed for the breaker. */
function isFailed({ failure, status }) {
  return failure === BROKEN || failure === LATE || status >= INTERNAL_SERVER_ERROR;
}

function parseObject(bytes) {
  let value;
  try {
    value = JSON.parse(UTF8.decode(bytes));
  } catch {
    throw otherAnswer();
  }
  if (typeof value !== 'object' || value === null) throw otherAnswer();
  return value;
}

function otherAnswer() {
  return failed('another answer than its own');
}

function failed(message) {
  return new Problem('country-failed', { cause: new Error(message) });
}
