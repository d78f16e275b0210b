/** Statements of lists, in which a condition stands only where its value is given. */

/** One list; each combination of its conditions is a statement of its own, made once. */
export class Listing {
  #name;
  #head;
  #conditions;
  #order;
  #statements = new Map();

  /**
   * `head` is the text up to the last condition that always stands, or a function that makes it of the values that are
   * given. By the name of a value, `conditions` has functions that make its condition of a placeholder like `$3`.
   */
  constructor({ name, head, conditions, order }) {
    this.#name = name;
    this.#head = head;
    this.#conditions = Object.entries(conditions);
    this.#order = order;
  }

  /** The statement and its values: those of the head, those of the conditions, and how many rows are read at most. */
  query(values, given, most) {
    const conditions = this.#conditions.filter(([key]) => given[key] !== undefined);
    const keys = conditions.map(([key]) => key);
    const name = [this.#name, ...keys].join(' ');
    let statement = this.#statements.get(name);
    if (statement === undefined) {
      statement = { name, text: this.#textOf(values.length, conditions, given) };
      this.#statements.set(name, statement);
    }
    return { statement, values: [...values, ...keys.map((key) => given[key]), most] };
  }

  #textOf(count, conditions, given) {
    const head = typeof this.#head === 'function' ? this.#head(given) : this.#head;
    const placeholder = (index) => `$${count + index + 1}`;
    const parts = conditions.map(([, condition], index) => ` AND ${condition(placeholder(index))}`);
    return `${head}${parts.join('')} ORDER BY ${this.#order} LIMIT ${placeholder(conditions.length)}`;
  }
}
