/**
 * Connections to the database, always as many as were asked for. pg's own pool opens them on demand, tries none again in the
 * background, and counts the wait for one together with its making.
 */

import { setTimeout as sleep } from 'node:timers/promises';

import { Problem } from '../problem.js';

// As SPEC.md has it: how often a connection is tried that is lost or cannot be opened.
const RETRY_MS = 500;

/** What a pool has. */
export interface Lendable {
  readonly isLost: boolean;
  /** Called once, when it is lost; the pool sets it. */
  onLost: () => void;
  close(): void;
}

interface Options<Member> {
  readonly open: () => Promise<Member>;
  readonly size: number;
  readonly waitMs: number;
  readonly retryMs?: number;
}

/** A fixed number of connections, opened and kept up in the background. */
export class Pool<Member extends Lendable> {
  readonly #open: () => Promise<Member>;
  readonly #waitMs: number;
  readonly #retryMs: number;
  readonly #waiting = new Set<(member: Member) => void>();
  #idle: Member[] = [];
  #isClosed = false;

  constructor({ open, size, waitMs, retryMs = RETRY_MS }: Options<Member>) {
    this.#open = open;
    this.#waitMs = waitMs;
    this.#retryMs = retryMs;
    for (let count = 0; count < size; count += 1) void this.#keep();
  }

  /** Does work with a connection, and rejects with a Problem where none is free in time. */
  async use<Result>(work: (member: Member) => Promise<Result>): Promise<Result> {
    const member = await this.take();
    try {
      return await work(member);
    } finally {
      this.give(member);
    }
  }

  /** Resolves with a connection, which is to be given back; rejects with a Problem where none is free in time. */
  async take(): Promise<Member> {
    const deadline = performance.now() + this.#waitMs;
    for (;;) {
      const member = this.#idle.pop() ?? (await this.#wait(deadline - performance.now()));
      // It may have been lost after it was handed over.
      if (!member.isLost) return member;
    }
  }

  /** Gives a connection back. One that is lost is replaced in the background. */
  give(member: Member): void {
    if (member.isLost) return;
    const [first] = this.#waiting;
    if (this.#isClosed) member.close();
    else if (first === undefined) this.#idle.push(member);
    else first(member);
  }

  /** Closes every connection that is not lent, and those that are when they are given back. */
  close(): void {
    this.#isClosed = true;
    const idle = this.#idle;
    this.#idle = [];
    for (const member of idle) member.close();
  }

  /** Opens one connection, and after it is lost another one. */
  async #keep(): Promise<void> {
    while (!this.#isClosed) {
      const again = sleep(this.#retryMs, undefined, { ref: false });
      await this.#serveOne().catch(() => {}); // who waits for a connection is told
      await again;
    }
  }

  /** Opens a connection, and ends with it. Rejects where it cannot be opened. */
  async #serveOne(): Promise<void> {
    const member = await this.#open();
    await new Promise<void>((resolve) => {
      member.onLost = resolve;
      if (member.isLost) resolve();
      else this.give(member);
    });
    this.#idle = this.#idle.filter((other) => other !== member);
  }

  #wait(limitMs: number): Promise<Member> {
    return new Promise((resolve, reject) => {
      const take = (member: Member) => {
        clearTimeout(timer);
        this.#waiting.delete(take);
        resolve(member);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(take);
        reject(new Problem('unavailable', { cause: new Error('no connection was free in time') }));
      }, limitMs);
      this.#waiting.add(take);
    });
  }
}
