/** The environment that every stack takes, validated once. */

import { isIPv4 } from 'node:net';

const HOST = '127.0.0.1';
const PROTOCOLS = ['h1c'];
const LOG_LEVELS = ['error', 'warn', 'info', 'debug'];

const LARGEST_PORT = 65_535;
const DATABASE_URL =
  /^postgres:\/\/(?<user>[^:@/?#%\s]+):(?<password>[^:@/?#%\s]+)@(?<host>[^:@/?#%\s]+):(?<port>\d{1,5})\/(?<database>[^:@/?#%\s]+)$/;
const SECRET = /^[\x21-\x7e]{32,256}$/;

/** A variable is wrong; the message names it. */
export class ConfigurationError extends Error {}

/** Reads the variables into a frozen value, or throws ConfigurationError. */
export function readConfig(environment) {
  // No other protocol exists, so there is nothing to keep of it.
  readWord(environment, 'CLIENT_PROTOCOL', PROTOCOLS, 'h1c');
  return Object.freeze({
    host: readHost(environment),
    port: readNumber(environment, 'PORT', 0, LARGEST_PORT),
    logLevel: readWord(environment, 'LOG_LEVEL', LOG_LEVELS, 'warn'),
    database: Object.freeze({
      ...readDatabase(environment),
      poolSize: readNumber(environment, 'POOL_SIZE', 1, 1000, 10),
      poolWaitMs: readNumber(environment, 'POOL_WAIT_MS', 1, 60_000, 1000),
    }),
    tokens: Object.freeze({
      secret: readSecret(environment),
      ttlSeconds: readNumber(environment, 'JWT_TTL', 1, 86_400, 3600),
    }),
    passwordCost: readNumber(environment, 'PASSWORD_COST', 4, 14, 10),
  });
}

function readHost(environment) {
  const host = environment.HOST ?? HOST;
  if (!isIPv4(host)) throw wrong(environment, 'HOST', 'be an IPv4 address');
  return host;
}

function readNumber(environment, name, least, most, standard) {
  const text = environment[name] ?? standard?.toString() ?? '';
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most) {
    throw wrong(environment, name, `be a number from ${least} to ${most}`);
  }
  return number;
}

function readWord(environment, name, words, standard) {
  const word = environment[name] ?? standard;
  if (!words.includes(word)) throw wrong(environment, name, `be one of ${words.join(', ')}`);
  return word;
}

/** The value is not shown where it is wrong: it has a password. */
function readDatabase(environment) {
  const parts = DATABASE_URL.exec(environment.DATABASE_URL ?? '')?.groups;
  const port = Number(parts?.port);
  if (parts === undefined || port < 1 || port > LARGEST_PORT) {
    throw new ConfigurationError(
      'DATABASE_URL must be like postgres://user:password@127.0.0.1:5432/database',
    );
  }
  return { ...parts, port };
}

/** The value is not shown where it is wrong: most of it may be a secret. */
function readSecret(environment) {
  const secret = environment.JWT_SECRET ?? '';
  if (!SECRET.test(secret)) {
    throw new ConfigurationError('JWT_SECRET must be 32 to 256 characters of visible ASCII');
  }
  return secret;
}

function wrong(environment, name, rule) {
  return new ConfigurationError(`${name} must ${rule}, not "${environment[name] ?? ''}"`);
}
