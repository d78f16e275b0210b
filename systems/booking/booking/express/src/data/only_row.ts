/** The row of a statement that always gives one. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a statement gave no row');
  return row;
}
