/** Asks the registry for instances, again and again. */

import { setTimeout as sleep } from 'node:timers/promises';

import { originsOf } from './eureka.js';

// As SPEC.md has them.
const PAUSE_MS = 1_000;
const LIMIT_MS = 1_000;

export class Discovery {
  /** Whether a list came, whatever comes later. */
  hasList = false;
  #url;
  #protocol;
  #instances;
  #complaints;
  #isEnding = false;
  #request = new AbortController();

  /** `registry` is an origin, and `protocol` what the leg to instances speaks. */
  constructor(registry, protocol, instances, complaints) {
    this.#url = `${registry}/eureka/apps`;
    this.#protocol = protocol;
    this.#instances = instances;
    this.#complaints = complaints;
  }

  /** Asks until it is stopped. While no list comes, the last one stays. */
  async run() {
    while (!this.#isEnding) {
      await this.#ask().catch((error) => this.#complain(error));
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
  }

  stop() {
    this.#isEnding = true;
    this.#request.abort();
  }

  async #ask() {
    const request = new AbortController();
    this.#request = request;
    const timer = setTimeout(() => request.abort(), LIMIT_MS);
    try {
      const response = await fetch(this.#url, {
        headers: { accept: 'application/json' },
        redirect: 'error',
        signal: request.signal,
      });
      // Read to its end, so that the connection can be used again.
      const text = await response.text();
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      const origins = originsOf(text, this.#protocol);
      if (this.#isEnding) return;
      this.#instances.replace(origins);
      this.hasList = true;
    } finally {
      clearTimeout(timer);
    }
  }

  #complain({ message, cause }) {
    if (this.#isEnding) return;
    this.#complaints.say(`no list of instances came: ${cause?.message ?? message}`);
  }
}
