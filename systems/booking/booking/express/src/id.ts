/** Ids as texts: in paths, queries, cursors and tokens. */

/** What a text must be to be an id, for expressions that hold more than one. */
export const ID_PATTERN = '[1-9][0-9]{0,15}';

const ID = new RegExp(`^${ID_PATTERN}$`);

/** Whether a text is an id. One beyond 2^53 loses its last digits as a number; no sequence comes so far. */
export function isId(text: string): boolean {
  return ID.test(text);
}
