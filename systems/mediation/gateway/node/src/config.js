/** The environment that every stack takes, validated once. */

const HOST = '127.0.0.1';
const H1C = 'h1c';

/** A variable is wrong; the message names it. */
export class ConfigurationError extends Error {}

/** Reads the variables into a frozen value, or throws ConfigurationError. */
export function readConfig(environment) {
  for (const name of ['CLIENT_PROTOCOL', 'UPSTREAM_PROTOCOL']) {
    if ((environment[name] || H1C) !== H1C) throw wrong(environment, name, `be ${H1C}`);
  }
  return Object.freeze({
    host: HOST,
    port: readPort(environment),
    upstream: readUpstream(environment),
  });
}

function readPort(environment) {
  const text = environment.PORT ?? '';
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) {
    throw wrong(environment, 'PORT', 'be a number from 0 to 65535');
  }
  return port;
}

/** The origin, as the HTTP client wants it. A path or a query would be lost, so it is refused. */
function readUpstream(environment) {
  const url = URL.canParse(environment.UPSTREAM_URL) ? new URL(environment.UPSTREAM_URL) : null;
  if (url?.protocol !== 'http:' || url.href !== `${url.origin}/`) {
    throw wrong(environment, 'UPSTREAM_URL', 'be like http://127.0.0.1:8688');
  }
  return url.origin;
}

function wrong(environment, name, rule) {
  return new ConfigurationError(`${name} must ${rule}, not "${environment[name] ?? ''}"`);
}
