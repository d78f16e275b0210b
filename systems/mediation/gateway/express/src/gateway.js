/** The gateway: its routes, and what becomes of a request that fails. */

import { createApplication } from './application.js';
import { BadBody, UpstreamFailed } from './errors.js';
import { passThrough } from './passthrough.js';
import { transform } from './transform.js';
import { createUpstream } from './upstream.js';

/** The listener of a server and a `close` for its connections to the upstream. */
export function createGateway(upstreamConfig, log) {
  const upstream = createUpstream(upstreamConfig);
  const listener = createApplication((app) => {
    app.route('/passthrough').post(passThrough(upstream)).all(refuseMethod);
    app.route('/transform').post(transform(upstream)).all(refuseMethod);
    app.use((req, res) => refuse(res, 404, 'no such path'));
    app.use(failed(log));
  });
  return { listener, close: () => upstream.close() };
}

function refuseMethod(req, res) {
  res.set('Allow', 'POST');
  refuse(res, 405, 'only POST');
}

function refuse(res, status, message) {
  res.status(status).type('text').send(`${message}\n`);
}

/**
 * Express's error handler: a body that is refused has a status; all else is a failure of the upstream, which is
 * 502 where nothing was sent yet, and a broken answer where it was.
 */
function failed(log) {
  // Express tells an error handler by its four parameters.
  // eslint-disable-next-line no-unused-vars
  return (error, req, res, next) => {
    if (error.name === 'AbortError' || isGone(res)) return; // no failure of the upstream
    if (error instanceof BadBody) {
      refuse(res, error.statusCode, error.message);
    } else if (error.type === 'entity.too.large') {
      req.resume(); // What is left of it would hold up what comes behind it.
      refuse(res, 413, 'the body is larger than 1 MiB');
    } else {
      log(`upstream failed: ${error.cause?.message ?? error.message}`);
      upstreamFailed(error, req, res);
    }
  };
}

function upstreamFailed(error, req, res) {
  if (res.headersSent) {
    (res.stream ?? res).destroy(error);
    return;
  }
  // What is left of the request is not read, so a connection of HTTP/1.1 cannot carry another one.
  if (!res.stream && !req.complete) res.set('Connection', 'close');
  const { statusCode, message } = new UpstreamFailed();
  refuse(res, statusCode, message);
}

/** Whether the client has gone: its stream on HTTP/2, else its connection. Deno says so by an error too. */
function isGone(res) {
  return res.stream ? res.stream.closed || res.stream.destroyed : res.socket?.destroyed;
}
