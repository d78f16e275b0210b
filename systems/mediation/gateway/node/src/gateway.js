/** The gateway: its routes, and what becomes of a request that fails. */

import { BadBody, UpstreamFailed } from './errors.js';
import { passThrough } from './passthrough.js';
import { transform } from './transform.js';
import { createUpstream } from './upstream.js';

/** The listener of a server and a `close` for its connections to the upstream. */
export function createGateway(upstreamConfig, log) {
  const upstream = createUpstream(upstreamConfig);
  const scenarios = new Map([
    ['/passthrough', passThrough(upstream)],
    ['/transform', transform(upstream)],
  ]);
  const listener = (req, res) => {
    const scenario = scenarios.get(pathOf(req));
    if (scenario === undefined) {
      refuse(req, res, 404, 'no such path');
    } else if (req.method !== 'POST') {
      res.setHeader('Allow', 'POST');
      refuse(req, res, 405, 'only POST');
    } else {
      scenario(req, res).catch((error) => failed(error, req, res, log));
    }
  };
  return { listener, close: () => upstream.close() };
}

function pathOf({ url }) {
  const queryAt = url.indexOf('?');
  return queryAt < 0 ? url : url.slice(0, queryAt);
}

function refuse(req, res, status, message) {
  req.resume(); // What is left of it would hold up what comes behind it.
  const text = `${message}\n`;
  res.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  res.end(text);
}

/**
 * A body that is refused has a status; all else is a failure of the upstream, which is 502 where nothing was
 * sent yet, and a broken answer where it was.
 */
function failed(error, req, res, log) {
  if (error.name === 'AbortError' || isGone(res)) return; // no failure of the upstream
  if (error instanceof BadBody) {
    refuse(req, res, error.statusCode, error.message);
  } else if (error.type === 'entity.too.large') {
    refuse(req, res, 413, 'the body is larger than 1 MiB');
  } else {
    log(`upstream failed: ${error.cause?.message ?? error.message}`);
    upstreamFailed(error, req, res);
  }
}

function upstreamFailed(error, req, res) {
  if (res.headersSent) {
    (res.stream ?? res).destroy(error);
    return;
  }
  // What is left of the request is not read, so a connection of HTTP/1.1 cannot carry another one.
  if (!res.stream && !req.complete) res.setHeader('Connection', 'close');
  const { statusCode, message } = new UpstreamFailed();
  refuse(req, res, statusCode, message);
}

/** Whether the client has gone: its stream on HTTP/2, else its connection. Deno says so by an error too. */
function isGone(res) {
  return res.stream ? res.stream.closed || res.stream.destroyed : res.socket?.destroyed;
}
