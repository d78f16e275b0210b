/** The operations `live` and `ready`. */

import { Router } from 'express';

import { answer } from '../answer.js';
import type { Store } from '../store.js';

const WELL = { status: 'ok' };

export function health(store: Store): Router {
  const router = Router();

  router.get('/healthz', (req, res) => {
    answer(res, 200, WELL);
  });

  router.get('/readyz', async (req, res) => {
    await store.ask();
    answer(res, 200, WELL);
  });

  return router;
}
