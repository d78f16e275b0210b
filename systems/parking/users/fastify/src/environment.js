/** Single variables of the environment, each by its rule. All throw ConfigurationError where one is wrong. */

import { isIPv4 } from 'node:net';

const LARGEST_PORT = 65_535;
const DIGITS = /^[0-9]+$/;
const VISIBLE_ASCII = /^[!-~]*$/;
const AUTHORITY = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(?<port>[0-9]{1,5}))?$/;

/** A variable is wrong; the message names it. */
export class ConfigurationError extends Error {}

/** A whole number, in digits alone. */
export function readNumber(environment, name, least, most, standard) {
  const text = environment[name] ?? standard?.toString() ?? '';
  if (!isNumber(text, least, most)) {
    throw wrong(environment, name, `be a number from ${least} to ${most}`);
  }
  return Number(text);
}

export function isNumber(text, least, most) {
  const number = Number(text);
  return DIGITS.test(text) && number >= least && number <= most;
}

/** The IPv4 address to listen on. */
export function readHost(environment) {
  const host = environment.HOST ?? '127.0.0.1';
  if (!isIPv4(host)) throw wrong(environment, 'HOST', 'be an IPv4 address');
  return host;
}

export function readPort(environment) {
  return readNumber(environment, 'PORT', 0, LARGEST_PORT);
}

/** One of some words, of which the first is the default. */
export function readWord(environment, name, words) {
  const word = environment[name] ?? words[0];
  if (!words.includes(word)) throw wrong(environment, name, `be ${words.join(' or ')}`);
  return word;
}

/** A text of visible ASCII. The value is not shown where it is wrong: most of it may be a secret. */
export function readSecret(environment, name, least, most) {
  const secret = environment[name] ?? '';
  if (secret.length < least || secret.length > most || !VISIBLE_ASCII.test(secret)) {
    throw new ConfigurationError(`${name} must be ${least} to ${most} characters of visible ASCII`);
  }
  return secret;
}

/** The scheme and authority of a server, and nothing else, which would be lost. */
export function readOrigin(environment, name, scheme) {
  const origin = environment[name] ?? '';
  if (!isOrigin(origin, scheme)) {
    throw wrong(environment, name, `be like ${scheme}://127.0.0.1:8761`);
  }
  return origin;
}

export function isOrigin(text, scheme) {
  const before = `${scheme}://`;
  const parts = text.startsWith(before) ? AUTHORITY.exec(text.slice(before.length)) : null;
  if (parts === null || !URL.canParse(text)) return false;
  const { port } = parts.groups;
  return port === undefined || isNumber(port, 1, LARGEST_PORT);
}

/** Variables that nothing else may have looked at are wrong where they are set to nothing. */
export function refuseEmpty(environment, names) {
  for (const name of names) {
    if (environment[name] === '') {
      throw wrong(environment, name, 'be set to something, or not at all');
    }
  }
}

export function wrong(environment, name, rule) {
  return new ConfigurationError(`${name} must ${rule}, not "${environment[name] ?? ''}"`);
}
