/** Keeps this process in the registry. Nothing that is served depends on it. */

import { setTimeout as sleep } from 'node:timers/promises';

import { idOf, registrationOf } from './registration.js';

// As SPEC.md has them.
const BEAT_INTERVAL_MS = 1_000;
const REQUEST_LIMIT_MS = 1_000;

const NOT_FOUND = 404;

export class Registrar {
  #application;
  #instance;
  #body;
  #complaints;
  #request = new AbortController();
  #isRegistered = false;
  // Also where the answer to a registration was lost.
  #mayBeThere = false;
  #isEnding = false;

  /** `registry` is an origin, and `where` the host and port that are listened on, and whether that is over TLS. */
  constructor(registry, where, complaints) {
    this.#application = `${registry}/eureka/apps/USERS`;
    this.#instance = `${this.#application}/${idOf(where.port)}`;
    this.#body = JSON.stringify(registrationOf(where));
    this.#complaints = complaints;
  }

  /** Registers, and sends heartbeats until it is stopped. */
  async run() {
    while (!this.#isEnding) {
      await this.#beat().catch((error) => this.#complain(error));
      await sleep(BEAT_INTERVAL_MS, undefined, { ref: false });
    }
  }

  /** Deregisters. Never rejects. */
  async stop() {
    this.#isEnding = true;
    this.#request.abort();
    if (this.#mayBeThere) await this.#ask(this.#instance, { method: 'DELETE' }).catch(() => {});
  }

  async #beat() {
    if (this.#isRegistered) {
      const status = await this.#ask(this.#instance, { method: 'PUT' });
      this.#isRegistered = status !== NOT_FOUND;
      if (this.#isRegistered) {
        expectSuccess(status);
        return;
      }
    }
    const headers = { 'content-type': 'application/json' };
    const registration = { method: 'POST', headers, body: this.#body };
    this.#mayBeThere = true;
    expectSuccess(await this.#ask(this.#application, registration));
    this.#isRegistered = true;
  }

  /** The status of an answer, which is read to its end, so that the connection can be used again. */
  async #ask(url, { method, headers, body }) {
    const request = new AbortController();
    this.#request = request;
    const timer = setTimeout(() => request.abort(), REQUEST_LIMIT_MS);
    try {
      const response = await fetch(url, {
        method,
        headers: { accept: 'application/json', ...headers },
        body,
        redirect: 'error',
        signal: request.signal,
      });
      await response.arrayBuffer();
      return response.status;
    } finally {
      clearTimeout(timer);
    }
  }

  #complain({ message, cause }) {
    if (this.#isEnding) return;
    this.#complaints.say(`the registry failed: ${cause?.message ?? message}`);
  }
}

function expectSuccess(status) {
  if (status < 200 || status > 299) throw new Error(`it answered ${status}`);
}
