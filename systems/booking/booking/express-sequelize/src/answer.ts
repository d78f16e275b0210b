/** Answers in JSON. Express's own `json` would add a charset to the type. */

import type { Response } from 'express';

const JSON_TYPE = 'application/json';

export function answer(res: Response, status: number, value: unknown): void {
  answerText(res, status, JSON.stringify(value));
}

/** Answers what was made, and where it is. */
export function answerCreated(res: Response, location: string, value: unknown): void {
  res.setHeader('Location', location);
  answer(res, 201, value);
}

/** Answers a text that is JSON of its type already. */
export function answerText(res: Response, status: number, text: string, type = JSON_TYPE): void {
  res.statusCode = status;
  res.setHeader('Content-Type', type);
  res.end(text);
}
