/** The operations `sign-up`, `log-in` and `me`. */

import { Router } from 'express';

import { answer } from '../answer.js';
import { accountBody, isAddress, logInBody, lowerCase } from '../bodies.js';
import { readJson } from '../body.js';
import { type Guard, callerOf } from '../guard.js';
import type { Hasher } from '../hasher.js';
import { valid } from '../members.js';
import { Problem } from '../problem.js';
import { showAccount } from '../shown.js';
import type { Credentials, Store } from '../store.js';
import type { Tokens } from '../tokens.js';

export function accounts(
  store: Store,
  guard: Guard,
  tokens: Tokens,
  hasher: Pick<Hasher, 'hash' | 'matches'>,
): Router {
  const router = Router();

  router.post('/accounts', readJson, async (req, res) => {
    const { email, name, password, role } = valid(accountBody, req.body);
    const password_hash = await hasher.hash(password);
    const account = await store.accounts.add({ email, name, password_hash, role });
    if (account === undefined) throw new Problem('email-taken');
    answer(res, 201, showAccount(account));
  });

  router.post('/auth/login', readJson, async (req, res) => {
    const { email, password } = valid(logInBody, req.body);
    const account = await credentialsOf(store, lowerCase(email));
    const isRight = await hasher.matches(password, account?.password_hash);
    if (account === undefined || !isRight) throw new Problem('bad-credentials');
    const token = await tokens.issue(account);
    answer(res, 200, { token, token_type: 'Bearer', expires_in: tokens.ttlSeconds });
  });

  router.get('/accounts/me', guard.anyAccount, async (req, res) => {
    const account = await store.accounts.get(callerOf(res).id);
    if (account === undefined) throw new Problem('unauthenticated');
    answer(res, 200, showAccount(account));
  });

  return router;
}

/** An address that no account can have is not looked for: the database may not even take it. */
async function credentialsOf(store: Store, email: string): Promise<Credentials | undefined> {
  return isAddress(email) ? store.accounts.credentials(email) : undefined;
}
