/** The environment that every stack takes, validated once, and the TLS material that it names. */

import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';

import { H1C, PROTOCOLS, isOverTls } from './protocol.js';
import { checkAuthority, checkKeyPair } from './tls.js';

const HOST = '127.0.0.1';

/** A variable is wrong; the message names it. */
export class ConfigurationError extends Error {}

/** Reads the variables into a frozen value, or throws ConfigurationError. */
export function readConfig(environment) {
  const protocol = readProtocol(environment, 'CLIENT_PROTOCOL');
  return Object.freeze({
    host: readHost(environment),
    port: readPort(environment),
    protocol,
    keyPair: isOverTls(protocol) ? readKeyPair(environment) : null,
    upstream: readUpstream(environment),
  });
}

function readHost(environment) {
  const host = environment.HOST ?? HOST;
  if (!isIPv4(host)) throw wrong(environment, 'HOST', 'be an IPv4 address');
  return host;
}

function readPort(environment) {
  const text = environment.PORT ?? '';
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) {
    throw wrong(environment, 'PORT', 'be a number from 0 to 65535');
  }
  return port;
}

function readProtocol(environment, name) {
  const protocol = environment[name] || H1C;
  if (!PROTOCOLS.includes(protocol)) {
    throw wrong(environment, name, `be one of ${PROTOCOLS.join(', ')}`);
  }
  return protocol;
}

function readUpstream(environment) {
  const protocol = readProtocol(environment, 'UPSTREAM_PROTOCOL');
  return Object.freeze({
    origin: readOrigin(environment, isOverTls(protocol) ? 'https' : 'http'),
    protocol,
    authority: isOverTls(protocol) ? readAuthority(environment) : null,
  });
}

/** The origin, as the HTTP client wants it. A path or a query would be lost, so it is refused. */
function readOrigin(environment, scheme) {
  const url = URL.canParse(environment.UPSTREAM_URL) ? new URL(environment.UPSTREAM_URL) : null;
  if (url?.protocol !== `${scheme}:` || url.href !== `${url.origin}/`) {
    throw wrong(environment, 'UPSTREAM_URL', `be like ${scheme}://127.0.0.1:8688`);
  }
  return url.origin;
}

function readKeyPair(environment) {
  const cert = readPem(environment, 'TLS_CERT');
  const key = readPem(environment, 'TLS_KEY');
  try {
    checkKeyPair({ cert, key });
  } catch (error) {
    throw wrong(environment, 'TLS_CERT', `go with TLS_KEY (${error.message})`);
  }
  return Object.freeze({ cert, key });
}

function readAuthority(environment) {
  const authority = readPem(environment, 'TLS_CA');
  try {
    checkAuthority(authority);
  } catch (error) {
    throw wrong(environment, 'TLS_CA', `be a certificate in PEM (${error.message})`);
  }
  return authority;
}

function readPem(environment, name) {
  try {
    return readFileSync(environment[name] ?? '', 'utf8');
  } catch (error) {
    throw wrong(environment, name, `be a file that can be read (${error.message})`);
  }
}

function wrong(environment, name, rule) {
  return new ConfigurationError(`${name} must ${rule}, not "${environment[name] ?? ''}"`);
}
