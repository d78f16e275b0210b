/** Tokens: JWT (RFC 7519) signed by HS256. */

import { type CryptoKey, SignJWT, compactVerify } from 'jose';
import { z } from 'zod';

import type { TokensConfig } from './config.js';
import { isId } from './id.js';
import { Problem } from './problem.js';
import { ROLES, type Role } from './store.js';

const ALGORITHM = 'HS256';
const SYSTEM = 'booking';

// The last letter of a signature has two bits of no use, which jose does not look at: with them set it is another text.
const BEARER =
  /^[Bb][Ee][Aa][Rr][Ee][Rr] +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;

/** Who sent a request, as a token says. */
export interface Caller {
  readonly id: number;
  readonly role: Role;
}

// Others are not looked at. jose's own check of claims would look at `iat` and `nbf`, and take a list for `aud`.
const claims = z.object({
  iss: z.literal(SYSTEM),
  aud: z.literal(SYSTEM),
  sub: z.string().refine(isId),
  role: z.enum(ROLES),
  exp: z.number(),
});

export class Tokens {
  readonly ttlSeconds: number;
  readonly #key: CryptoKey;
  readonly #now: () => number;

  /** By `create`. */
  private constructor(key: CryptoKey, ttlSeconds: number, now: () => number) {
    this.#key = key;
    this.ttlSeconds = ttlSeconds;
    this.#now = now;
  }

  /** `now` is a clock in milliseconds. */
  static async create({ secret, ttlSeconds }: TokensConfig, now: () => number): Promise<Tokens> {
    // Made once: of bytes jose would make a key for every token.
    const key = await crypto.subtle.importKey(
      'raw',
      new TextEncoder().encode(secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign', 'verify'],
    );
    return new Tokens(key, ttlSeconds, now);
  }

  issue({ id, role }: Caller): Promise<string> {
    const issuedAt = Math.floor(this.#now() / 1000);
    return new SignJWT({ role })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(SYSTEM)
      .setAudience(SYSTEM)
      .setSubject(String(id))
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + this.ttlSeconds)
      .sign(this.#key);
  }

  /** The caller of a field `Authorization`, or rejects with a Problem. */
  async callerOf(authorization: string | undefined): Promise<Caller> {
    const token = BEARER.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new Problem('unauthenticated');
    const { sub, role, exp } = await this.#claimsOf(token);
    if (this.#now() >= exp * 1000) throw new Problem('unauthenticated');
    return { id: Number(sub), role };
  }

  async #claimsOf(token: string): Promise<z.output<typeof claims>> {
    try {
      const { payload } = await compactVerify(token, this.#key, { algorithms: [ALGORITHM] });
      return claims.parse(JSON.parse(new TextDecoder().decode(payload)));
    } catch (cause) {
      throw new Problem('unauthenticated', { cause });
    }
  }
}
