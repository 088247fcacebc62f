import type { Kysely } from 'kysely';
import { setMinimumVersion } from './minimum-version.js';

/** Whether a version of a customer's detector answers one label for an object. */
export async function addOneLabel(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('model_version')
    .addColumn('one_label', 'bigint', (definition) => definition.notNull().defaultTo(0))
    .execute();
  await setMinimumVersion(db, '0.1.0');
}
