/** Texts as SPEC.md counts and takes them. */

/** How many code points a text has; JavaScript counts units of UTF-16. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) count -= 1; // the other half of the pair counts
  }
  return count;
}

/** Whether PostgreSQL can keep a text: it has no U+0000 and no half of a surrogate pair. */
export function isPlain(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
