/** The environment that every stack takes, validated once. */

import { isIPv4 } from 'node:net';

const HOST = '127.0.0.1';
const PROTOCOLS = ['h1c'];
const STRATEGIES = ['sequential', 'concurrent', 'batched'];
const SWITCH = ['on', 'off'];
const LOG_LEVELS = ['error', 'warn', 'info', 'debug'];

const LARGEST_PORT = 65_535;
const DATABASE_URL =
  /^mysql:\/\/(?<user>[^:@/?#%\s]+):(?<password>[^:@/?#%\s]+)@(?<host>[^:@/?#%\s]+):(?<port>\d{1,5})\/(?<database>[^:@/?#%\s]+)$/;

/** A variable is wrong; the message names it. */
export class ConfigurationError extends Error {}

/** Reads the variables into a frozen value, or throws ConfigurationError. */
export function readConfig(environment) {
  // No other protocol exists, so there is nothing to keep of these two.
  readWord(environment, 'CLIENT_PROTOCOL', PROTOCOLS, 'h1c');
  readWord(environment, 'LOOKUP_PROTOCOL', PROTOCOLS, 'h1c');
  return Object.freeze({
    host: readHost(environment),
    port: readNumber(environment, 'PORT', 0, LARGEST_PORT),
    logLevel: readWord(environment, 'LOG_LEVEL', LOG_LEVELS, 'warn'),
    database: Object.freeze({
      ...readDatabase(environment),
      poolSize: readNumber(environment, 'POOL_SIZE', 1, 1000, 10),
      timeoutMs: readNumber(environment, 'DB_TIMEOUT_MS', 1, 60_000, 1000),
    }),
    country: Object.freeze({
      origin: readOrigin(environment),
      timeoutMs: readNumber(environment, 'COUNTRY_TIMEOUT_MS', 1, 60_000, 2000),
      connections: readNumber(environment, 'COUNTRY_CONNECTIONS', 1, 1000, 64),
      retries: readNumber(environment, 'RETRIES', 0, 10, 0),
      retryIntervalMs: readNumber(environment, 'RETRY_INTERVAL_MS', 0, 60_000, 100),
      hasBreaker: readWord(environment, 'BREAKER', SWITCH, 'off') === 'on',
    }),
    lookups: Object.freeze({
      strategy: readWord(environment, 'STRATEGY', STRATEGIES, 'sequential'),
      width: readNumber(environment, 'WIDTH', 1, 1000, 8),
      batchSize: readNumber(environment, 'BATCH_SIZE', 1, 1000, 100),
    }),
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
      'DATABASE_URL must be like mysql://user:password@127.0.0.1:3306/database',
    );
  }
  return { ...parts, port };
}

/** The origin, as the HTTP client wants it. A path or a query would be lost, so it is refused. */
function readOrigin(environment) {
  const text = environment.COUNTRY_URL ?? '';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' || url.href !== `${url.origin}/`) {
    throw wrong(environment, 'COUNTRY_URL', 'be like http://127.0.0.1:9000');
  }
  return url.origin;
}

function wrong(environment, name, rule) {
  return new ConfigurationError(`${name} must ${rule}, not "${environment[name] ?? ''}"`);
}
