/** The environment that every stack takes, validated once. */

import { isIPv4 } from 'node:net';

const HOST = '127.0.0.1';
const PROTOCOLS = ['h1c'];
const LOG_LEVELS = ['error', 'warn', 'info', 'debug'];

const LARGEST_PORT = 65_535;
const DATABASE_URL =
  /^postgres:\/\/([^:@/?#%\s]+):([^:@/?#%\s]+)@([^:@/?#%\s]+):(\d{1,5})\/([^:@/?#%\s]+)$/;
const SECRET = /^[!-~]{32,256}$/;

export interface DatabaseConfig {
  readonly user: string;
  readonly password: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly poolSize: number;
  readonly poolWaitMs: number;
}

export interface TokensConfig {
  readonly secret: string;
  readonly ttlSeconds: number;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly logLevel: string;
  readonly database: DatabaseConfig;
  readonly tokens: TokensConfig;
  readonly passwordCost: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A variable is wrong; the message names it. */
export class ConfigurationError extends Error {}

/** Reads the variables into a value, or throws ConfigurationError. */
export function readConfig(environment: Environment): Config {
  // No other protocol exists, so there is nothing to keep of it.
  readWord(environment, 'CLIENT_PROTOCOL', PROTOCOLS, 'h1c');
  return {
    host: readHost(environment),
    port: readNumber(environment, 'PORT', 0, LARGEST_PORT),
    logLevel: readWord(environment, 'LOG_LEVEL', LOG_LEVELS, 'warn'),
    database: {
      ...readDatabase(environment),
      poolSize: readNumber(environment, 'POOL_SIZE', 1, 1000, 10),
      poolWaitMs: readNumber(environment, 'POOL_WAIT_MS', 1, 60_000, 1000),
    },
    tokens: {
      secret: readSecret(environment),
      ttlSeconds: readNumber(environment, 'JWT_TTL', 1, 86_400, 3600),
    },
    passwordCost: readNumber(environment, 'PASSWORD_COST', 4, 14, 10),
  };
}

function readHost(environment: Environment): string {
  const host = environment.HOST ?? HOST;
  if (!isIPv4(host)) throw wrong(environment, 'HOST', 'be an IPv4 address');
  return host;
}

function readNumber(
  environment: Environment,
  name: string,
  least: number,
  most: number,
  standard?: number,
): number {
  const text = environment[name] ?? standard?.toString() ?? '';
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most) {
    throw wrong(environment, name, `be a number from ${least} to ${most}`);
  }
  return number;
}

function readWord(
  environment: Environment,
  name: string,
  words: readonly string[],
  standard: string,
): string {
  const word = environment[name] ?? standard;
  if (!words.includes(word)) throw wrong(environment, name, `be one of ${words.join(', ')}`);
  return word;
}

/** The value is not shown where it is wrong: it has a password. */
function readDatabase({ DATABASE_URL: text = '' }: Environment) {
  const [, user = '', password = '', host = '', digits, database = ''] =
    DATABASE_URL.exec(text) ?? [];
  const port = Number(digits ?? 0);
  if (port < 1 || port > LARGEST_PORT) {
    throw new ConfigurationError(
      'DATABASE_URL must be like postgres://user:password@127.0.0.1:5432/database',
    );
  }
  return { user, password, host, port, database };
}

/** Neither is this one shown. */
function readSecret({ JWT_SECRET: secret = '' }: Environment): string {
  if (!SECRET.test(secret)) {
    throw new ConfigurationError('JWT_SECRET must be 32 to 256 characters of visible ASCII');
  }
  return secret;
}

function wrong(environment: Environment, name: string, rule: string): ConfigurationError {
  return new ConfigurationError(`${name} must ${rule}, not "${environment[name] ?? ''}"`);
}
