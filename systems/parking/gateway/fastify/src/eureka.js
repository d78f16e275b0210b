/** What the registry's list of instances says. */

import { isIPv6 } from 'node:net';

import { isNumber, isOrigin } from './environment.js';
import { isOverTls, schemeOf } from './protocol.js';

const APPLICATION = 'USERS';
const UP = 'UP';
const ENABLED = 'true';

/** The origins of the instances of users that are up, in what the leg speaks. Throws where it is no list. */
export function originsOf(text, protocol) {
  const list = parse(text);
  if (!isObject(list?.applications)) throw new Error('its answer has no applications');
  const origins = new Set();
  for (const { name, instance } of objectsIn(list.applications.application)) {
    if (name !== APPLICATION) continue;
    for (const one of objectsIn(instance)) {
      const origin = originOf(one, protocol);
      if (origin !== undefined) origins.add(origin);
    }
  }
  return [...origins];
}

function originOf({ hostName, status, port, securePort }, protocol) {
  const spoken = isOverTls(protocol) ? securePort : port;
  // A text on the wire, and a boolean or a number in some.
  const isEnabled = String(spoken?.['@enabled']) === ENABLED;
  const number = String(spoken?.$);
  if (status !== UP || !isEnabled || !isNumber(number, 1, 65_535)) return undefined;
  const scheme = schemeOf(protocol);
  const origin = `${scheme}://${isIPv6(hostName) ? `[${hostName}]` : hostName}:${number}`;
  return isOrigin(origin, scheme) ? origin : undefined;
}

/** In an error of JSON.parse is a part of the text. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('its answer is no JSON');
  }
}

function objectsIn(value) {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}
