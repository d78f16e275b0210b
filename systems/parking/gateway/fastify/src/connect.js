/** Connections to an instance: as many are made as are asked for, and whoever asked for one keeps it. */

import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { urlToHttpOptions } from 'node:url';

import { isHttp2, isOverTls } from './protocol.js';

// TLS and its verification included.
const LIMIT_MS = 1_000;

/**
 * A function that opens a connection to an origin, and calls back with an error, or with null and a socket that speaks
 * the protocol. `authority` alone vouches for it, where it is over TLS.
 */
export function connectorTo(origin, { protocol, authority }) {
  const { hostname: host, port } = urlToHttpOptions(new URL(origin));
  if (!isOverTls(protocol)) {
    const options = { host, port: port || 80, noDelay: true };
    return (callback) => wait(connectTcp(options), 'connect', callback);
  }
  const isHttp2There = isHttp2(protocol);
  const options = {
    host,
    port: port || 443,
    ...(isIP(host) === 0 && { servername: host }), // RFC 6066 knows names alone.
    ca: authority,
    ALPNProtocols: [isHttp2There ? 'h2' : 'http/1.1'],
  };
  return (callback) =>
    wait(connectTls(options).setNoDelay(), 'secureConnect', (error, socket) => {
      // node:http2 would speak HTTP/2 to whatever answers.
      if (error === null && isHttp2There && socket.alpnProtocol !== 'h2') {
        socket.destroy();
        callback(new Error('it does not agree to HTTP/2'));
      } else {
        callback(error, socket);
      }
    });
}

function wait(socket, event, callback) {
  let isOver = false;
  const timer = setTimeout(
    () => socket.destroy(new Error(`no connection was made within ${LIMIT_MS} ms`)),
    LIMIT_MS,
  );
  const settle = (error) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    if (error === null) callback(null, socket);
    // Without the code, by which undici would find a meaning of its own.
    else callback(new Error(error.message || error.code));
  };
  socket.once(event, () => settle(null));
  // Of those behind the start others hear, too.
  socket.on('error', settle);
}
