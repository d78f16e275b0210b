/** What one leg speaks, in the words of SPEC.md. */

export const H1C = 'h1c';
export const H1 = 'h1';
export const H2C = 'h2c';
export const H2 = 'h2';

export const PROTOCOLS = [H1C, H1, H2C, H2];

export function isOverTls(protocol) {
  return protocol === H1 || protocol === H2;
}

export function isHttp2(protocol) {
  return protocol === H2C || protocol === H2;
}

/** The scheme of a leg's URLs. */
export function schemeOf(protocol) {
  return isOverTls(protocol) ? 'https' : 'http';
}
