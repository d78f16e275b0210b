/** The environment that every stack of this service takes, validated once, and the files that it names. */

import {
  isOrigin,
  readHost,
  readNumber,
  readOrigin,
  readPort,
  readSecret,
  readWord,
  refuseEmpty,
  wrong,
} from './environment.js';
import { H1C, PROTOCOLS, isOverTls, schemeOf } from './protocol.js';
import { readAuthority, readKeyPair } from './tls.js';

const BEFORE_INSTANCES = 'users=';
const MOST_INSTANCES = 16;
const ORIGIN = /^https?:\/\/[^/?#@]+$/;
const VISIBLE_ASCII = /^[!-~]+$/;

/** Reads the variables into a frozen value, or throws ConfigurationError. */
export function readConfig(environment) {
  const client = readWord(environment, 'CLIENT_PROTOCOL', PROTOCOLS);
  const upstream = readWord(environment, 'UPSTREAM_PROTOCOL', PROTOCOLS);
  const config = Object.freeze({
    host: readHost(environment),
    port: readPort(environment),
    client: Object.freeze({
      protocol: client,
      keyPair: isOverTls(client) ? readKeyPair(environment) : null,
    }),
    upstream: Object.freeze({
      protocol: upstream,
      authority: isOverTls(upstream) ? readAuthority(environment) : null,
      limitMs: readNumber(environment, 'UPSTREAM_TIMEOUT_MS', 1, 60_000, 5_000),
    }),
    instances: readInstances(environment, schemeOf(upstream)),
    secret: readSecret(environment, 'JWT_SECRET', 32, 256),
    allowedOrigin: readAllowedOrigin(environment),
  });
  readWord(environment, 'DISCOVERY_PROTOCOL', [H1C]);
  refuseEmpty(environment, ['TLS_CERT', 'TLS_KEY', 'TLS_CA', 'STATIC_INSTANCES', 'REGISTRY_URL']);
  return config;
}

/** Where users is: the origins of its instances, or that of the registry. */
function readInstances(environment, scheme) {
  if (readWord(environment, 'REGISTRY', ['static', 'eureka']) === 'eureka') {
    const registry = readOrigin(environment, 'REGISTRY_URL', 'http');
    return Object.freeze({ origins: null, registry });
  }
  const text = environment.STATIC_INSTANCES ?? '';
  const origins = text.slice(BEFORE_INSTANCES.length).split(',');
  const areRight =
    text.startsWith(BEFORE_INSTANCES) &&
    origins.length <= MOST_INSTANCES &&
    origins.every((origin) => isOrigin(origin, scheme));
  if (!areRight) {
    const rule = `be ${BEFORE_INSTANCES}URL,URL: 1 to ${MOST_INSTANCES} like ${scheme}://127.0.0.1:8090`;
    throw wrong(environment, 'STATIC_INSTANCES', rule);
  }
  return Object.freeze({ origins, registry: null });
}

/** The one origin whose pages may read answers, or nothing. */
function readAllowedOrigin(environment) {
  const origin = environment.ALLOWED_ORIGIN;
  if (origin === undefined) return null;
  if (!ORIGIN.test(origin) || !VISIBLE_ASCII.test(origin)) {
    throw wrong(environment, 'ALLOWED_ORIGIN', 'be like https://park.example');
  }
  return origin;
}
