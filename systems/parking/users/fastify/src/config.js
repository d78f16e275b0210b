/** The environment that every stack of this service takes, validated once, and the files that it names. */

import {
  ConfigurationError,
  isNumber,
  readHost,
  readNumber,
  readOrigin,
  readPort,
  readSecret,
  readWord,
  refuseEmpty,
} from './environment.js';
import { H1C, PROTOCOLS, isOverTls } from './protocol.js';
import { readKeyPair } from './tls.js';

const DATABASE_URL =
  /^postgres:\/\/(?<user>[^:@/?#%\s]+):(?<password>[^:@/?#%\s]+)@(?<host>[^:@/?#%\s]+):(?<port>[0-9]{1,5})\/(?<database>[^:@/?#%\s]+)$/;

/** Reads the variables into a frozen value, or throws ConfigurationError. */
export function readConfig(environment) {
  const protocol = readWord(environment, 'UPSTREAM_PROTOCOL', PROTOCOLS);
  const config = Object.freeze({
    host: readHost(environment),
    port: readPort(environment),
    protocol,
    keyPair: isOverTls(protocol) ? readKeyPair(environment) : null,
    database: Object.freeze({
      ...readDatabase(environment),
      poolSize: readNumber(environment, 'POOL_SIZE', 1, 1000, 10),
    }),
    tokens: Object.freeze({
      secret: readSecret(environment, 'JWT_SECRET', 32, 256),
      lifetimeSeconds: readNumber(environment, 'TOKEN_SECONDS', 1, 86_400, 600),
    }),
    internalKey: readSecret(environment, 'INTERNAL_KEY', 16, 256),
    registry: readRegistry(environment),
  });
  readWord(environment, 'DISCOVERY_PROTOCOL', [H1C]);
  refuseEmpty(environment, ['TLS_CERT', 'TLS_KEY', 'REGISTRY_URL']);
  return config;
}

/** The value is not shown where it is wrong: it has a password. */
function readDatabase(environment) {
  const parts = DATABASE_URL.exec(environment.DATABASE_URL ?? '')?.groups;
  if (parts === undefined || !isNumber(parts.port, 1, 65_535)) {
    throw new ConfigurationError(
      'DATABASE_URL must be like postgres://user:password@127.0.0.1:5432/park',
    );
  }
  return { ...parts, port: Number(parts.port) };
}

/** The origin of the registry to register at, or nothing. */
function readRegistry(environment) {
  const isAsked = readWord(environment, 'REGISTRY', ['static', 'eureka']) === 'eureka';
  return isAsked ? readOrigin(environment, 'REGISTRY_URL', 'http') : null;
}
