/** Lines about what stays away, of which there is one a second at most. */

const INTERVAL_MS = 1_000;

export class Complaints {
  #log;
  #now;
  #notBefore = -Infinity;

  /** `log` takes a line; `now` is a clock in milliseconds. */
  constructor(log, now = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  say(line) {
    const now = this.#now();
    if (now < this.#notBefore) return;
    this.#notBefore = now + INTERVAL_MS;
    this.#log(line);
  }
}
