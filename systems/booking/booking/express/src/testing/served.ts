/** A service over rows in memory, and requests that are sent to it. */

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { TestContext } from 'node:test';

import { pino } from 'pino';

import { createServer, listen } from '../server.js';
import { createService } from '../service.js';
import type { Role } from '../store.js';
import { Tokens } from '../tokens.js';
import { FakeStore } from './fake_store.js';

export const NOW = Date.parse('2040-03-01T00:00:00Z');

const SECRET = 'a-secret-of-more-than-32-characters!';
const JSON_TYPE = 'application/json';

// As quick as no hash is, and with no thread.
const PLAIN = {
  hash: (password: string) => Promise.resolve(`hash of ${password}`),
  matches: (password: string, hash: string | undefined) =>
    Promise.resolve(hash === `hash of ${password}`),
};

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON of the text. */
  readonly value: Record<string, unknown>;
}

type Bytes = NonNullable<RequestInit['body']>;

export interface Sent {
  readonly token?: string;
  readonly body?: Bytes | object;
  readonly headers?: Record<string, string>;
}

/** `ask` sends a request, `tokenOf` gives a token of an account, and `lines` is what was logged. */
export async function serve(t: TestContext, store = new FakeStore()) {
  const now = () => NOW;
  const tokens = await Tokens.create({ secret: SECRET, ttlSeconds: 3600 }, now);
  const lines: string[] = [];
  const log = pino(
    { level: 'warn' },
    new Writable({
      write(line: unknown, encoding, done) {
        lines.push(String(line));
        done();
      },
    }),
  );
  const server = createServer(createService({ store, hasher: PLAIN, tokens, now, log }));
  await listen(server, '127.0.0.1', 0);
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;

  const ask = async (method: string, path: string, { token, body, headers }: Sent = {}) => {
    const isValue = body?.constructor === Object || Array.isArray(body);
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        ...(isValue && { 'content-type': JSON_TYPE }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && {
        body: isValue ? JSON.stringify(body) : (body as Bytes),
        duplex: 'half',
      }),
    });
    const text = await response.text();
    const value = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, text, value };
  };
  const tokenOf = (id: number, role: Role) => tokens.issue({ id, role });
  return { ask, tokenOf, lines, store };
}

/** Asserts that an answer is a problem of a status and code. */
export function isProblem({ status, headers, value }: Answer, expected: number, code: string) {
  assert.equal(status, expected);
  assert.equal(headers.get('content-type'), 'application/problem+json');
  assert.equal(value.type, `https://booking.example/problems/${code}`);
  assert.equal(value.status, expected);
}
