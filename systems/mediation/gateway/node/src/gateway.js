/** The gateway: its routes, and what happens to a request between client and upstream. */

import { EventEmitter } from 'node:events';

import express from 'express';
// By its file: for the bare name Bun gives a stand-in of its own, whose Pool answers nothing.
import { Pool } from 'undici/index.js';

import { requestHeaders, responseHeaders } from './headers.js';

const UPSTREAM_PATH = '/service/EchoService';

const CONNECT_TIMEOUT_MS = 10_000;
// The wait for the head of an answer, as long as the published gateways waited.
const ANSWER_TIMEOUT_MS = 30_000;
const UPSTREAM_IDLE_TIMEOUT_MS = 60_000;

/** The Express application and a `close` for its connections to the upstream (an origin). */
export function createGateway(upstream, log) {
  const pool = new Pool(upstream, {
    connections: null, // as many as requests in flight
    pipelining: 1,
    connectTimeout: CONNECT_TIMEOUT_MS,
    headersTimeout: ANSWER_TIMEOUT_MS,
    keepAliveTimeout: UPSTREAM_IDLE_TIMEOUT_MS,
  });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app
    .route('/passthrough')
    .post((req, res) => passThrough(pool, req, res))
    .all((req, res) => res.set('Allow', 'POST').status(405).type('text').send('only POST\n'));
  app.use((req, res) => res.status(404).type('text').send('no such path\n'));
  app.use(upstreamFailed(log));
  return { app, close: () => pool.close() };
}

/** Streams the request to the upstream and its answer back; rejects where either breaks. */
async function passThrough(pool, req, res) {
  // undici takes an emitter in place of an AbortSignal, which costs much more to make.
  const cancelled = new EventEmitter();
  res.once('close', () => cancelled.emit('abort'));
  const queryAt = req.url.indexOf('?');
  const answer = await pool.request({
    method: 'POST',
    path: queryAt < 0 ? UPSTREAM_PATH : UPSTREAM_PATH + req.url.slice(queryAt),
    headers: requestHeaders(req.rawHeaders),
    body: req,
    signal: cancelled,
    responseHeaders: 'raw',
  });
  res.writeHead(answer.statusCode, responseHeaders(answer.headers));
  await sendBody(answer.body, res);
}

/**
 * Pipes a body to its end. Not stream.pipeline, which makes an AbortController for each call and,
 * measured with this gateway's small bodies, costs a third of the throughput.
 */
function sendBody(body, res) {
  return new Promise((resolve, reject) => {
    body.once('end', resolve);
    body.once('error', reject);
    body.pipe(res);
  });
}

/** Express's error handler: 502 where nothing was sent yet, a broken connection where it was. */
function upstreamFailed(log) {
  // Express tells an error handler by its four parameters.
  // eslint-disable-next-line no-unused-vars
  return (error, req, res, next) => {
    // The client is gone: no failure of the upstream. Deno says so by an error of the request.
    if (error.name === 'AbortError' || res.socket?.destroyed) return;
    log(`upstream failed: ${error.message}`);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    // What is left of the request is not read, so the connection cannot carry another one.
    if (!req.complete) res.set('Connection', 'close');
    res.status(502).type('text').send('the upstream failed\n');
  };
}
