/** Keeps look-ups from a service that fails: SPEC.md, *Look-ups*, has its numbers. */

const WINDOW = 20;
const MOST_FAILED = 10;
const OPEN_MS = 5_000;

/** Counts the attempts of the whole process; `now` is a clock in milliseconds. */
export class Breaker {
  #now;
  #failed = [];
  #openUntil = undefined;
  #isTrying = false;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Whether an attempt may be made; each one that may is then recorded, or given up. */
  admits() {
    if (this.#openUntil === undefined) return true;
    if (this.#isTrying || this.#now() < this.#openUntil) return false;
    this.#isTrying = true;
    return true;
  }

  record(isFailed) {
    if (this.#openUntil === undefined) this.#count(isFailed);
    else if (this.#isTrying) this.#decide(isFailed);
    // Else it had begun before the breaker opened, and tells nothing new.
  }

  /** The attempt was ended before anything could be said of it. */
  giveUp() {
    this.#isTrying = false;
  }

  #count(isFailed) {
    this.#failed.push(isFailed);
    if (this.#failed.length > WINDOW) this.#failed.shift();
    if (this.#failed.filter(Boolean).length >= MOST_FAILED) this.#open();
  }

  #decide(isFailed) {
    this.#isTrying = false;
    if (isFailed) this.#open();
    else this.#openUntil = undefined;
  }

  #open() {
    this.#failed = [];
    this.#openUntil = this.#now() + OPEN_MS;
  }
}

/** In place of a breaker where there is none. */
export const NO_BREAKER = Object.freeze({ admits: () => true, record() {}, giveUp() {} });
