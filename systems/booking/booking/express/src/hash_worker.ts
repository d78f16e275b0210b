/** A thread that computes hashes, one at a time, for `hasher.ts`. Its first message says that bcrypt is loaded. */

import { parentPort } from 'node:worker_threads';

import bcrypt from 'bcrypt';

/** A new hash at a cost, or whether a password is that of a hash. */
export type Task =
  | { readonly password: string; readonly cost: number }
  | { readonly password: string; readonly hash: string };

export type Result = string | boolean;

parentPort?.on('message', (task: Task) => {
  parentPort?.postMessage(resultOf(task));
});
parentPort?.postMessage(true);

function resultOf(task: Task): Result {
  return 'cost' in task
    ? bcrypt.hashSync(task.password, task.cost)
    : bcrypt.compareSync(task.password, task.hash);
}
