/** The ids of all that has one, as a path, a query or a token has them. */

// No more digits than PostgreSQL keeps.
const ID = /^[1-9][0-9]{0,15}$/;

/** Whether a text is an id. */
export function isId(text) {
  return ID.test(text);
}
