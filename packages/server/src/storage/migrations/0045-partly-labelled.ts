import type { Kysely } from 'kysely';
import { setMinimumVersion } from './minimum-version.js';

/** Whether an import could not read some labels of an image, and nobody has completed them since. */
export async function markPartlyLabelled(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('dataset_image')
    .addColumn('partly_labelled', 'bigint', (definition) => definition.notNull().defaultTo(0))
    .execute();
  await setMinimumVersion(db, '0.1.0');
}
