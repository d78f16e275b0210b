/** The scenario pass-through: the request goes to the upstream as it comes. */

import { sendAnswer, whenGone } from './answer.js';
import { isSmall, readAll } from './body.js';
import { requestHeaders } from './headers.js';

/** Passes the request to the upstream and its answer back; rejects where either breaks. */
export function passThrough(upstream) {
  return async (req, res) => {
    const queryAt = req.url.indexOf('?');
    const cancelled = whenGone(res);
    const body = isSmall(req.headers['content-length']) ? await readAll(req) : req;
    const answer = await upstream.send({
      query: queryAt < 0 ? '' : req.url.slice(queryAt),
      headers: requestHeaders(req),
      body,
      cancelled,
    });
    await sendAnswer(answer, res);
  };
}
