import type { Kysely } from 'kysely';

/** How long a stage of a job will take yet; null while nobody knows. */
export async function addJobTimeLeft(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('job').addColumn('seconds_left', 'bigint').execute();
}
