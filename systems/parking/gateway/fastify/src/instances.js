/** The instances of users that are known now, and which of them is the next in turn. */

// Behind an attempt that failed.
const LEFT_OUT_MS = 2_000;

export class Instances {
  #list = [];
  #turn = 0;
  #open;
  #now;

  /** `open` makes the client of an origin; `now` is a clock in milliseconds. */
  constructor(open, now = () => performance.now()) {
    this.#open = open;
    this.#now = now;
  }

  /** Takes these origins in the place of those before. What is known of those that stay is kept. */
  replace(origins) {
    const before = new Map(this.#list.map((one) => [one.origin, one]));
    this.#list = [...new Set(origins)].map((origin) => {
      const one = before.get(origin);
      before.delete(origin);
      return one ?? { origin, upstream: this.#open(origin), leftOutUntil: -Infinity };
    });
    before.forEach(({ upstream }) => upstream.close());
  }

  /** The next one that is not left out and was not tried, as `{origin, upstream}`, or nothing. */
  next(tried) {
    const now = this.#now();
    const { length } = this.#list;
    for (let step = 0; step < length; step += 1) {
      const place = (this.#turn + step) % length;
      const one = this.#list[place];
      if (one.leftOutUntil <= now && !tried.includes(one)) {
        this.#turn = place + 1;
        return one;
      }
    }
    return undefined;
  }

  /** For the time behind an attempt that failed. */
  leaveOut(one) {
    one.leftOutUntil = this.#now() + LEFT_OUT_MS;
  }
}
