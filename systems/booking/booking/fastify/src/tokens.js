/** The tokens of accounts: JWT (RFC 7519), signed by HS256. */

import { createSigner, createVerifier } from 'fast-jwt';

import { isId } from './id.js';

const ALGORITHM = 'HS256';
const NAME = 'booking';
const ROLES = ['player', 'owner'];

// Three parts, of which the last one is 32 bytes: fast-jwt takes other texts of them as well, whose last bits differ.
const TOKEN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** Signs and reads tokens; `now` is a clock in milliseconds since 1970. */
export class Tokens {
  ttlSeconds;
  #now;
  #sign;
  #verify;

  constructor({ secret, ttlSeconds }, now = Date.now) {
    this.ttlSeconds = ttlSeconds;
    this.#now = now;
    this.#sign = createSigner({
      key: secret,
      algorithm: ALGORITHM,
      iss: NAME,
      aud: NAME,
      expiresIn: ttlSeconds * 1000,
    });
    // Of the signature alone. What it says of claims is laxer than SPEC.md: one that is missing passes, an audience
    // may be a list, and a token is valid in the very millisecond in which it expires.
    this.#verify = createVerifier({
      key: secret,
      algorithms: [ALGORITHM],
      ignoreExpiration: true,
      ignoreNotBefore: true,
    });
  }

  /** The token of an account. */
  issue({ id, role }) {
    return this.#sign({ sub: String(id), role });
  }

  /** The account of a token, as `{id, role}`, or nothing where the token is not valid. */
  read(token) {
    const claims = this.#claimsOf(token);
    if (claims === undefined) return undefined;
    const { iss, aud, sub, role, exp } = claims;
    const isValid =
      iss === NAME &&
      aud === NAME &&
      typeof sub === 'string' &&
      isId(sub) &&
      ROLES.includes(role) &&
      typeof exp === 'number' &&
      this.#now() < exp * 1000;
    return isValid ? { id: Number(sub), role } : undefined;
  }

  #claimsOf(token) {
    if (!TOKEN.test(token)) return undefined;
    try {
      return this.#verify(token);
    } catch {
      return undefined;
    }
  }
}
