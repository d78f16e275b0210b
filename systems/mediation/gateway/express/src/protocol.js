/** What one leg speaks, in the words of the SPEC. */

export const H1C = 'h1c';
export const H1 = 'h1';
export const H2C = 'h2c';
export const H2 = 'h2';
export const H2_DOWNGRADE = 'h2-downgrade';

export const PROTOCOLS = [H1C, H1, H2C, H2, H2_DOWNGRADE];

export function isOverTls(protocol) {
  return protocol !== H1C && protocol !== H2C;
}
