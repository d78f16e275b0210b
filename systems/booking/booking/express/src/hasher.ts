/**
 * Hashes of passwords by bcrypt, on as many threads as there are CPUs, which do nothing else. bcrypt's own asynchronous
 * functions take the threads of libuv, for which the signatures of tokens would wait.
 */

import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import { isWithinLimit } from './bodies.js';
import type { Result, Task } from './hash_worker.js';

const SCRIPT = new URL('./hash_worker.js', import.meta.url);

// Salt and digest of no password.
const DUMMY = 'courtsidecourtsidecouu5V0bZqQ8Xn3yJ6rTgEoLhFmKwDcSaNi';

interface Job {
  readonly task: Task;
  readonly resolve: (result: Result) => void;
  readonly reject: (cause: Error) => void;
}

export class Hasher {
  readonly #cost: number;
  readonly #dummy: string;
  /** Each with what resolves when it has loaded bcrypt. */
  readonly #threads = new Map<Worker, Promise<void>>();
  readonly #idle: Worker[] = [];
  readonly #waiting: Job[] = [];

  constructor(cost: number, threads = availableParallelism()) {
    this.#cost = cost;
    this.#dummy = `$2b$${String(cost).padStart(2, '0')}$${DUMMY}`;
    for (let count = 0; count < threads; count += 1) this.#start();
  }

  async hash(password: string): Promise<string> {
    return String(await this.#do({ password, cost: this.#cost }));
  }

  /** Whether a password is that of a hash. Without a hash it is not, which takes as long. */
  async matches(password: string, hash: string | undefined): Promise<boolean> {
    const isRight = await this.#do({ password, hash: hash ?? this.#dummy });
    // bcrypt has looked at the beginning of a password that is longer.
    return hash !== undefined && isRight === true && isWithinLimit(password);
  }

  /**
   * To be called before the process ends: a thread that is ended while it loads bcrypt, or is in it, breaks the process off.
   * A hash is still under way where its caller has gone; those that wait are not begun.
   */
  async close(): Promise<void> {
    this.#waiting.length = 0;
    const ends = [...this.#threads].map(async ([thread, isLoaded]) => {
      await isLoaded;
      if (!this.#idle.includes(thread)) await once(thread, 'message');
      await thread.terminate();
    });
    await Promise.all(ends);
  }

  #do(task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      const job = { task, resolve, reject };
      const thread = this.#idle.pop();
      if (thread === undefined) this.#waiting.push(job);
      else this.#give(thread, job);
    });
  }

  #give(thread: Worker, { task, resolve, reject }: Job): void {
    const fail = (cause: Error) => {
      this.#threads.delete(thread);
      reject(cause);
      this.#start(); // in place of this one, which has ended
    };
    thread.ref();
    thread.once('error', fail);
    thread.once('message', (result: Result) => {
      thread.off('error', fail);
      resolve(result);
      this.#next(thread);
    });
    thread.postMessage(task);
  }

  /** Has a thread do what waits; where nothing does it rests, and keeps no process alive. */
  #next(thread: Worker): void {
    const job = this.#waiting.shift();
    if (job !== undefined) {
      this.#give(thread, job);
      return;
    }
    thread.unref();
    this.#idle.push(thread);
  }

  #start(): void {
    const thread = new Worker(SCRIPT);
    const isLoaded = once(thread, 'message').then(() => {
      this.#next(thread);
    });
    this.#threads.set(thread, isLoaded);
  }
}
