/** Inserts that give way to a row which is there. */

import { EmptyResultError } from 'sequelize';

/** What was made by ON CONFLICT DO NOTHING, or nothing where a row was in its way. */
export async function unlessTaken<Row>(made: Promise<Row>): Promise<Row | undefined> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof EmptyResultError) return undefined;
    throw error;
  }
}
