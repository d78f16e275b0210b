/** Patterns of LIKE and ILIKE. */

/** What matches every text that has a part, of which each character stands for itself. */
export function partPattern(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}
