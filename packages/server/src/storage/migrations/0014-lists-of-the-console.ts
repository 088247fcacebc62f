import type { Kysely } from 'kysely';

/**
 * What an analysis found in a few words, and indexes by which a page of a list, and what changed lately, is found without
 * reading all rows of an account.
 */
export async function indexLists(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('analysis').addColumn('summary', 'text').execute();
  await db.schema.alterTable('analysis').addColumn('search_text', 'text').execute();
  // A search reads all of an account; here it need not touch the rows, which are long.
  await db.schema
    .createIndex('analysis_search')
    .on('analysis')
    .columns(['account_id', 'created_at', 'fileid', 'operation', 'expires_at', 'search_text'])
    .execute();
  await db.schema.createIndex('drop_event_account').on('drop_event').columns(['account_id', 'at']).execute();
  await db.schema.createIndex('job_newest').on('job').columns(['account_id', 'created_at', 'id']).execute();
  await db.schema.createIndex('job_ended_of_account').on('job').columns(['account_id', 'ended_at']).execute();
}
