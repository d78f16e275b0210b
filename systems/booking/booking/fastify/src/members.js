/** The members of the object in a body, and the faults that they have. Nothing is coerced. */

import { Problem } from './problem.js';

/** Reads members in the order in which their faults are told of. */
export class Members {
  #values;
  #faults = [];

  /** Throws a Problem where the value is no object. */
  constructor(value) {
    this.#values = value;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject) return;
    this.#faults.push({ pointer: '', code: 'type' });
    this.finish();
  }

  /**
   * The value of a member, or nothing where it has a fault; `rule` gives the code of one, or nothing. Without a
   * `standard` the member is required.
   */
  read(name, rule, standard) {
    const value = this.#values[name] ?? standard;
    const code = value === undefined ? 'required' : rule(value);
    if (code === undefined) return value;
    this.addFault(name, code);
    return undefined;
  }

  addFault(name, code) {
    this.#faults.push({ pointer: `/${name}`, code });
  }

  /** Throws a Problem where there was a fault. */
  finish() {
    if (this.#faults.length > 0) throw new Problem('validation', { faults: this.#faults });
  }
}
