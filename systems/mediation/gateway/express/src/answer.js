/** What the scenarios share: an exchange with the upstream ends with its answer to the client. */

import { EventEmitter } from 'node:events';

import { isSmall, readAll } from './body.js';
import { field, responseHeaders } from './headers.js';

/** An emitter that says `abort` when there is nobody to answer any more. */
export function whenGone(res) {
  const gone = new EventEmitter();
  res.once('close', () => gone.emit('abort'));
  return gone;
}

/** Passes an answer of the upstream to the client; rejects where it breaks off. */
export async function sendAnswer({ statusCode, headers, body, isWhole }, res) {
  const kept = responseHeaders(headers);
  if (!isSmall(field(headers, 'content-length'))) {
    writeHead(res, statusCode, kept);
    await pipeBody(body, isWhole, res);
    return;
  }
  const bytes = await readAll(body);
  if (!isWhole()) throw brokenOff();
  writeHead(res, statusCode, kept);
  res.end(bytes);
}

function writeHead(res, statusCode, headers) {
  if (!res.stream) {
    res.writeHead(statusCode, headers);
    return;
  }
  for (let i = 0; i < headers.length; i += 2) res.appendHeader(headers[i], headers[i + 1]);
  res.writeHead(statusCode);
}

/**
 * Pipes a body to its end. Not stream.pipeline, which makes an AbortController for each call and,
 * measured with this gateway's small bodies, costs a third of the throughput.
 */
function pipeBody(body, isWhole, res) {
  return new Promise((resolve, reject) => {
    const broken = () => reject(brokenOff());
    const ended = () => {
      if (!isWhole()) {
        broken();
        return;
      }
      res.end();
      resolve();
    };
    if (body.readableEnded) {
      ended(); // Deno ends a stream of HTTP/2 that has no body before it tells of the answer.
      return;
    }
    body.once('end', ended);
    body.once('error', reject);
    body.once('close', broken);
    body.pipe(res, { end: false });
  });
}

function brokenOff() {
  return new Error('the answer broke off');
}
