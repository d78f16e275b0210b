/** The body of a request: its bytes within the limit, and the JSON value in them. */

import type { NextFunction, Request, Response } from 'express';

import { Problem } from './problem.js';

const MAXIMUM_BYTES = 16_384;
// Read of a body that is too large, so that its sender comes to look for the answer.
const MAXIMUM_DROPPED_BYTES = 64 * 1024;

// A byte order mark stays, and is then refused by JSON.parse.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const JSON_TYPE = /^application\/json[ \t]*(;|$)/i;

/**
 * Gives a request the value of its body. Not express.json: it looks at the type before the size, decodes bytes that are no
 * UTF-8, and reads the whole of what is too large before it is answered.
 */
export async function readJson(req: Request, res: Response, next: NextFunction): Promise<void> {
  const bytes = await readBody(req, res);
  req.body = parseBody(bytes, req.headers['content-type']);
  next();
}

/** Goes on when a body has come that nobody looks at: no connection is taken before the whole of a request is there. */
export async function dropBody(req: Request, res: Response, next: NextFunction): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    onEnd(req, reject, resolve);
    req.resume();
  });
  next();
}

/** The value of a body that was read; `type` is its Content-Type. Throws a Problem. */
export function parseBody(bytes: Buffer, type: string | undefined): unknown {
  if (!JSON_TYPE.test(type ?? '')) throw new Problem('unsupported-media-type');
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch (cause) {
    throw new Problem('malformed', { cause });
  }
}

/** The bytes of a request, or rejects with a Problem. */
function readBody(req: Request, res: Response): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers['content-length']) > MAXIMUM_BYTES) {
      reject(tooLarge(req, res));
      return;
    }
    let parts: Buffer[] = [];
    let size = 0;
    const take = (part: Buffer) => {
      size += part.length;
      parts.push(part);
      if (size > MAXIMUM_BYTES) {
        parts = [];
        req.off('data', take);
        reject(tooLarge(req, res));
      }
    };
    onEnd(req, reject, () => {
      resolve(Buffer.concat(parts));
    });
    req.on('data', take);
  });
}

/** Calls `done` when the whole of a body has come, or `fail` with a Problem where its sender went away before. */
function onEnd(req: Request, fail: (problem: Problem) => void, done: () => void): void {
  let isWhole = false;
  const breakOff = (cause?: Error) => {
    if (!isWhole) fail(new Problem('malformed', { cause }));
  };
  if (req.destroyed) {
    breakOff(); // while the token was verified; nothing more is told of it
    return;
  }
  req.once('end', () => {
    isWhole = true;
    done();
  });
  req.once('error', breakOff);
  req.once('close', breakOff);
}

/** Drops the rest while the answer is sent, and the connection behind the answer where there is too much. */
function tooLarge(req: Request, res: Response): Problem {
  let dropped = 0;
  const drop = (part: Buffer) => {
    dropped += part.length;
    if (dropped <= MAXIMUM_DROPPED_BYTES) return;
    req.off('data', drop);
    if (res.writableFinished) req.destroy();
    else res.once('finish', () => req.destroy());
  };
  req.on('data', drop);
  return new Problem('too-large');
}
