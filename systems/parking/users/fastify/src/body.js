/** The body of a request: its bytes within the limit, and the JSON value in them. */

import { constants } from 'node:http2';

import { Problem } from './problem.js';

const { NGHTTP2_NO_ERROR } = constants;
const MAXIMUM_BYTES = 65_536;
// Read of what is sent beyond.
const MAXIMUM_DROPPED_BYTES = 64 * 1024;

// A byte order mark stays, and is then refused by JSON.parse.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const JSON_TYPE = /^application\/json[ \t]*(;|$)/i;

/** The value of the JSON in the body of a request as Node.js has it. Rejects with a Problem. */
export async function readValue(raw) {
  return parseBody(await readBody(raw), raw.headers['content-type']);
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

/**
 * Reads on and drops what comes of a body that was refused, so that its sender comes to look for the answer. Where it
 * is too much, it is given up behind the answer.
 */
export function dropRest(raw, answer) {
  const out = raw.stream ?? answer;
  let dropped = 0;
  raw.on('data', (part) => {
    dropped += part.length;
    if (dropped <= MAXIMUM_DROPPED_BYTES) return;
    raw.pause();
    if (out.writableFinished) giveUp(raw);
    else out.once('finish', () => giveUp(raw));
  });
}

function readBody(raw) {
  return new Promise((resolve, reject) => {
    if (Number(raw.headers['content-length']) > MAXIMUM_BYTES) {
      reject(new Problem('too-large'));
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
        reject(new Problem('too-large'));
      }
    };
    raw.on('data', take);
    onEnd(raw, () => resolve(parts.length === 1 ? parts[0] : Buffer.concat(parts)), reject);
  });
}

function onEnd(raw, resolve, reject) {
  let isWhole = false;
  raw.once('end', () => {
    // On HTTP/2 a body that was broken off may end as if it were whole.
    if (raw.stream !== undefined && raw.stream.rstCode !== NGHTTP2_NO_ERROR) return;
    isWhole = true;
    resolve();
  });
  const breakOff = (cause) => isWhole || reject(new Problem('malformed', { cause }));
  raw.once('error', breakOff);
  raw.once('close', breakOff);
}

/** A stream of HTTP/2 is ended alone, and else the connection. */
function giveUp(raw) {
  if (raw.stream === undefined) raw.destroy();
  else raw.stream.close();
}
