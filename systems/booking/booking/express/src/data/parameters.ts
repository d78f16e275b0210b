/** The parameters of a statement whose text is put together. */

export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value, and gives what stands for it in the text. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
