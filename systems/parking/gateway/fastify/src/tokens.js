/** The tokens of callers: JWT (RFC 7519), signed by HS256. */

import { createVerifier } from 'fast-jwt';

import { Problem } from './problem.js';

const ISSUER = 'park-users';
const ROLES = ['SUPERVISOR', 'CUSTOMER', 'CUSTOMER_MANAGER', 'PARK_MANAGER', 'DEVICE'];

const BEARER = /^bearer +(\S.*)$/i;
const ID = /^[1-9][0-9]{0,15}$/;
// Three parts, of which the last one is 32 bytes: fast-jwt takes other texts of them as well, whose last bits differ.
const TOKEN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** Checks tokens; `now` is a clock in milliseconds since 1970. */
export class Tokens {
  #now;
  #verify;

  constructor(secret, now = Date.now) {
    this.#now = now;
    // Of the signature alone. What fast-jwt says of claims is laxer than SPEC.md: one that is missing passes, and a
    // token is valid in the very millisecond in which it expires.
    this.#verify = createVerifier({
      key: secret,
      algorithms: ['HS256'],
      complete: true,
      ignoreExpiration: true,
      ignoreNotBefore: true,
    });
  }

  /** Whom a request comes from, as `{id, role}`, by the values of its Authorization. Throws a Problem. */
  authenticate(values) {
    if (values.length === 0) throw new Problem('token-missing');
    if (values.length > 1) throw new Problem('token-invalid');
    const token = BEARER.exec(values[0])?.[1];
    if (token === undefined) throw new Problem('token-missing');
    const caller = this.#callerOf(token);
    if (caller === undefined) throw new Problem('token-invalid');
    return caller;
  }

  /** The caller of a token, or nothing where the token is not valid. */
  #callerOf(token) {
    const claims = this.#claimsOf(token);
    if (claims === undefined) return undefined;
    const { iss, exp, nbf, sub, role } = claims;
    const seconds = this.#now() / 1000;
    const isValid =
      iss === ISSUER &&
      typeof exp === 'number' &&
      exp > seconds &&
      (nbf === undefined || (typeof nbf === 'number' && nbf <= seconds)) &&
      typeof sub === 'string' &&
      ID.test(sub) &&
      ROLES.includes(role);
    return isValid ? { id: sub, role } : undefined;
  }

  #claimsOf(token) {
    if (!TOKEN.test(token)) return undefined;
    try {
      const { header, payload } = this.#verify(token);
      return Object.hasOwn(header, 'crit') ? undefined : Object(payload);
    } catch {
      return undefined;
    }
  }
}
