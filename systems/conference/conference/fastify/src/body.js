/** The body of a request: its bytes within the limit, and the JSON value in them. */

import { Problem } from './problem.js';

const MAXIMUM_BYTES = 16_384;
// Read of a body that is too large, so that its sender comes to look for the answer.
const MAXIMUM_DROPPED_BYTES = 64 * 1024;

// A byte order mark stays, and is then refused by JSON.parse.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const JSON_TYPE = /^application\/json[ \t]*(;|$)/i;

/** The bytes of a request, or rejects with a Problem. */
export function readBody(raw) {
  return new Promise((resolve, reject) => {
    if (Number(raw.headers['content-length']) > MAXIMUM_BYTES) {
      reject(tooLarge(raw));
      return;
    }
    let parts = [];
    let size = 0;
    const take = (part) => {
      size += part.length;
      parts.push(part);
      if (size > MAXIMUM_BYTES) {
        parts = [];
        raw.off('data', take);
        reject(tooLarge(raw));
      }
    };
    let isWhole = false;
    raw.on('data', take);
    raw.once('end', () => {
      isWhole = true;
      resolve(parts.length === 1 ? parts[0] : Buffer.concat(parts));
    });
    const breakOff = (cause) => isWhole || reject(new Problem('malformed', { cause }));
    raw.once('error', breakOff);
    raw.once('close', breakOff);
  });
}

/** The value of a body that was read; `type` is its Content-Type. Throws a Problem. */
export function parseBody(bytes, type) {
  if (!JSON_TYPE.test(type ?? '')) throw new Problem('unsupported-media-type');
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch (cause) {
    throw new Problem('malformed', { cause });
  }
}

/** Drops the rest while the answer is sent, and the connection with it where there is too much. */
function tooLarge(raw) {
  let dropped = 0;
  raw.on('data', (part) => {
    dropped += part.length;
    if (dropped > MAXIMUM_DROPPED_BYTES) raw.destroy();
  });
  return new Problem('too-large');
}
