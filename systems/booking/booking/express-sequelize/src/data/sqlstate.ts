/** What the codes of the database's errors mean: SPEC.md, *Database rules*, has the list. */

import { Problem } from '../problem.js';

// A rival was in the way, and may be gone by now.
const RIVALRY = ['40001', '40P01'];
const UNAVAILABLE = ['53300', '55P03', '57014'];
// The server ends the connection, or refuses it.
const ENDED = ['57P01', '57P02', '57P03', '57P04', '57P05'];
const CONNECTION_CLASS = '08';

/** Whether a connection cannot be used any more, or its state is not known. */
export function isEnd(code: string): boolean {
  return ENDED.includes(code) || code.startsWith(CONNECTION_CLASS);
}

/** Whether callers are told that the database is not available. */
export function isUnavailable(code: string): boolean {
  return UNAVAILABLE.includes(code) || isEnd(code);
}

/** Does work that ends without a trace where it fails, and once more where a rival was in its way. */
export async function withoutRivals<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isRivalry(error)) throw error;
  }
  try {
    return await work();
  } catch (error) {
    if (isRivalry(error)) throw new Problem('unavailable', { cause: error });
    throw error;
  }
}

function isRivalry(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    RIVALRY.includes(error.code)
  );
}
