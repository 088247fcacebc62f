import type { Kysely } from 'kysely';
import { tables } from '../schema.js';
import { createStatements } from '../tables/create-tables.js';
import type { ColumnTypes } from './column-types.js';
import { setMinimumVersion } from './minimum-version.js';

/** Creates all tables as they are now. On a new database no later migration is run, since there is nothing left for it to do. */
export async function createTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const statement of createStatements(db, types, tables)) await db.executeQuery(statement.compile());
  await setMinimumVersion(db, '0.1.0');
}
