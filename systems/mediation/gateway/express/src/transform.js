/** The scenario JSON to XML: a new request with the document that the body makes. */

import getRawBody from 'raw-body';

import { sendAnswer, whenGone } from './answer.js';
import { convert } from './conversion.js';
import { parse } from './json.js';

const MAXIMUM_BODY_BYTES = 1024 * 1024;

/** Sends the XML form of a JSON body to the upstream and its answer back. */
export function transform(upstream) {
  return async (req, res) => {
    // Not express.json(), which takes a request of HTTP/2 without Content-Length for one without a body,
    // and puts U+FFFD in place of what is not UTF-8.
    const body = await getRawBody(req, { limit: MAXIMUM_BODY_BYTES });
    const answer = await upstream.send({
      query: '',
      headers: ['Content-Type', 'application/xml'],
      body: convert(parse(body)),
      cancelled: whenGone(res),
    });
    await sendAnswer(answer, res);
  };
}
