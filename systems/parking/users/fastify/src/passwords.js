/** Passwords and their hashes, by bcrypt. */

import { availableParallelism } from 'node:os';

import bcrypt from 'bcrypt';
import pLimit from 'p-limit';

// As SPEC.md has it.
const COST = 10;
// Of UTF-8. bcrypt does not look at those behind the last.
const MAXIMUM_BYTES = 72;
// A salt and a digest that no password has: nothing is kept of it but what it costs.
const DUMMY = 'loadstoneloadstoneloau'.padEnd(53, '.');

/** Computes on threads of libuv, of which start.cjs has seen to enough: at most one hash for each CPU at a time. */
export class Passwords {
  #cost;
  #dummy;
  #onThread = pLimit(availableParallelism());

  /** Another cost is for tests. */
  constructor(cost = COST) {
    this.#cost = cost;
    this.#dummy = `$2b$${String(cost).padStart(2, '0')}$${DUMMY}`;
  }

  /** The hash of a new password. */
  hash(password) {
    return this.#onThread(() => bcrypt.hash(password, this.#cost));
  }

  /** Whether a password is that of a hash. Without a hash it is not, which takes as long to tell. */
  async isRight(password, hash = this.#dummy) {
    const isSame = await this.#onThread(() => bcrypt.compare(password, hash));
    // bcrypt repeats a password, with a zero byte between: one that has such bytes may be another one repeated.
    return isSame && Buffer.byteLength(password) <= MAXIMUM_BYTES && !password.includes('\0');
  }
}
