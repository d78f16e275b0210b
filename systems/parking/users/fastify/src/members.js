/** The members of the object in a body, and the faults that they have. Nothing is coerced. */

import { Problem } from './problem.js';

/** Reads members in the order in which their faults are told of; there must be no others. */
export class Members {
  #values;
  #known = new Set();
  #faults = [];
  #isMalformed = false;

  /** Throws a Problem where the value is no object. */
  constructor(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new Problem('malformed');
    }
    this.#values = value;
  }

  /** The value of a member, or nothing where it has a fault. */
  read(name, { isOfType, faultOf }) {
    this.#known.add(name);
    const value = this.#values[name] ?? undefined;
    if (value === undefined) {
      this.#refuse(name, 'required');
    } else if (!isOfType(value)) {
      this.#isMalformed = true;
    } else {
      const code = faultOf(value);
      if (code === undefined) return value;
      this.#refuse(name, code);
    }
    return undefined;
  }

  /** Throws a Problem where there is one. */
  finish() {
    if (this.#isMalformed) throw new Problem('malformed');
    if (!Object.keys(this.#values).every((name) => this.#known.has(name))) {
      throw new Problem('unknown-member');
    }
    if (this.#faults.length > 0) throw new Problem('invalid', { faults: this.#faults });
  }

  #refuse(name, code) {
    this.#faults.push({ pointer: `/${name}`, code });
  }
}
