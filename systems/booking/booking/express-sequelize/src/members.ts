/**
 * What members of a body can be, as schemas of zod whose messages are the codes of SPEC.md. A check that fails does not end
 * the others; of each member the first fault is told, so checks stand in the order of the codes.
 */

import { z } from 'zod';

import { type Fault, Problem } from './problem.js';
import { codePoints, isPlain } from './text.js';

const BEYOND_64_BITS = 2 ** 63;

/** Of a body that is no object. */
export const NO_OBJECT = 'type';

/** Any text that can be kept. */
export function plainText() {
  return z.string({ error: requiredOrType }).refine(isPlain, { error: 'format' });
}

/** A text of so many code points. */
export function text(least: number, most: number) {
  return plainText()
    .refine((value) => codePoints(value) >= least, { error: 'too-short' })
    .refine((value) => codePoints(value) <= most, { error: 'too-long' });
}

/** One of some words. */
export function word<const Words extends readonly string[]>(words: Words) {
  return plainText().pipe(z.enum(words, { error: 'unknown-value' }));
}

/** An integer of 64 bits; JSON has those above 2^53 rounded. */
export function integer() {
  return z
    .number({ error: requiredOrType })
    .refine((value) => Number.isInteger(value), { error: 'type' })
    .refine((value) => Math.abs(value) < BEYOND_64_BITS, { error: 'range' });
}

export function integerOf(least: number, most: number) {
  return integer().refine((value) => value >= least && value <= most, { error: 'range' });
}

/** What a schema of an object makes of a body, or throws a Problem with the first fault of each member. */
export function valid<Shape extends z.ZodObject>(shape: Shape, body: unknown): z.output<Shape> {
  const result = shape.safeParse(body);
  if (result.success) return result.data;
  const first = new Map<string, string>();
  for (const { path, message } of result.error.issues) {
    const pointer = path.map((step) => `/${String(step)}`).join('');
    if (!first.has(pointer)) first.set(pointer, message);
  }
  throw new Problem('validation', { faults: inOrder(first, Object.keys(shape.shape)) });
}

/** Rules over several members are told behind the others by zod, and in the order of the members by SPEC.md. */
function inOrder(codes: ReadonlyMap<string, string>, members: readonly string[]): Fault[] {
  const pointers = ['', ...members.map((member) => `/${member}`)];
  return pointers.flatMap((pointer) => {
    const code = codes.get(pointer);
    return code === undefined ? [] : [{ pointer, code }];
  });
}

function requiredOrType({ input }: { input?: unknown }): string {
  return input === undefined || input === null ? 'required' : 'type';
}
