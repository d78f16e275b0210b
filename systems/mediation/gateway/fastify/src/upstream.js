/** The upstream leg: a plugin that gives replies `forward`, on @fastify/reply-from and undici. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';

import replyFrom from '@fastify/reply-from';
import fp from 'fastify-plugin';
// By its file: for the bare name Bun gives a stand-in of its own, whose Pool answers nothing.
import { Pool } from 'undici/index.js';

import { isSmall, readAll } from './body.js';
import { UpstreamFailed } from './errors.js';
import { responseHeaders } from './headers.js';
import { H2_DOWNGRADE } from './protocol.js';

const UPSTREAM_PATH = '/service/EchoService';

const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 60_000;
// The pool looks for a free one by asking each in turn. Requests beyond these wait for one.
const MOST_CONNECTIONS = 128;

async function upstream(app, { origin, protocol, authority }) {
  const pool = new Pool(origin, {
    connections: MOST_CONNECTIONS,
    pipelining: 1,
    connect: { timeout: CONNECT_TIMEOUT_MS, ca: authority ?? undefined },
    allowH2: protocol === H2_DOWNGRADE, // offers it, besides HTTP/1.1
    headersTimeout: ANSWER_TIMEOUT_MS,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
  });
  app.addHook('onClose', () => pool.close());

  // The plugin does not end a request whose caller has gone, so its client is given a signal by the way.
  const callers = new AsyncLocalStorage();
  const client = {
    request: (options, done) => pool.request({ ...options, signal: callers.getStore() }, done),
  };
  await app.register(replyFrom, { base: origin, undici: client, disableRequestLogging: true });

  /** Sends a request to the upstream, and its answer to the caller. Options are those of `reply.from`. */
  app.decorateReply('forward', function forward(options) {
    const sent = { rewriteHeaders: responseHeaders, onResponse: sendAnswer, onError: fail };
    callers.run(whenGone(this.raw), () => this.from(UPSTREAM_PATH, { ...sent, ...options }));
    return this;
  });
}

/** What undici takes for a signal, which is much cheaper to make than an AbortSignal. */
function whenGone(raw) {
  const gone = new EventEmitter();
  raw.once('close', () => gone.emit('abort'));
  return gone;
}

function sendAnswer(request, reply, { stream }) {
  stream.once('error', (error) => {
    if (!isOfCaller(error)) logFailure(request, error);
    // It goes to the error handler if nothing was sent yet, and is to look like any other failure there.
    const { statusCode, message } = new UpstreamFailed();
    Object.assign(error, { statusCode, message });
  });
  // To bytes without a type Fastify gives one.
  const isRead = isSmall(reply.getHeader('content-length')) && reply.hasHeader('content-type');
  if (isRead) {
    readAll(stream).then(
      (bytes) => reply.send(bytes),
      (error) => reply.send(error),
    );
  } else {
    reply.send(stream);
  }
}

function fail(reply, { error: { cause } }) {
  if (isOfCaller(cause)) return; // nobody is there to be told
  logFailure(reply.request, cause);
  reply.send(new UpstreamFailed({ cause }));
}

/** Whether an exchange ended by its caller: by the signal, or since the body of its request was aborted. */
function isOfCaller({ name, message }) {
  return name === 'AbortError' || message === 'aborted';
}

function logFailure(request, error) {
  request.log.error(`upstream failed: ${error.message}`);
}

export default fp(upstream, { name: 'upstream' });
