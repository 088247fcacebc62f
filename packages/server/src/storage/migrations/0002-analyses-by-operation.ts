import type { Kysely } from 'kysely';

/** A list of one operation's analyses; without it, looking for a rare one reads all rows of the account. */
export async function indexAnalysesByOperation(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('analysis_operation')
    .on('analysis')
    .columns(['account_id', 'operation', 'created_at'])
    .execute();
}
