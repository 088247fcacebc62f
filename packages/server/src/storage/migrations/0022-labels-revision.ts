import type { Kysely } from 'kysely';

/** By which a change of labels knows whether they are still those that its sender saw. */
export async function addLabelsRevision(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('dataset_picture')
    .addColumn('labels_revision', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}
