/** The tokens of users: JWT (RFC 7519), signed by HS256. It is the gateway that verifies them. */

import { createSigner } from 'fast-jwt';

import { showSeconds } from './instant.js';

const ALGORITHM = 'HS256';
const ISSUER = 'park-users';

/** Signs tokens; `now` is a clock in milliseconds since 1970. */
export class Tokens {
  #lifetimeSeconds;
  #now;
  #sign;

  constructor({ secret, lifetimeSeconds }, now = Date.now) {
    this.#lifetimeSeconds = lifetimeSeconds;
    this.#now = now;
    this.#sign = createSigner({
      key: secret,
      algorithm: ALGORITHM,
      iss: ISSUER,
      expiresIn: lifetimeSeconds * 1000,
    });
  }

  /** The token of a user, and the instant at which it expires. */
  issue({ id, role }) {
    const iat = Math.floor(this.#now() / 1000);
    const token = this.#sign({ sub: String(id), role, iat });
    return { token, expiresAt: showSeconds(iat + this.#lifetimeSeconds) };
  }
}
