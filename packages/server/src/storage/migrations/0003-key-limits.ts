import { type Kysely, sql } from 'kysely';

/** Calls of a key by itself, and indexes for counting an account's new keys and for deleting keys. */
export async function addKeyLimits(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('api_key')
    .addColumn('call_limit', 'bigint', (column) => column.check(sql`call_limit >= 0`))
    .execute();
  await db.schema
    .alterTable('api_key')
    .addColumn('calls_used', 'bigint', (column) => column.notNull().defaultTo(0).check(sql`calls_used >= 0`))
    .execute();
  await sql`
    update api_key
    set calls_used = coalesce((select sum(calls) from usage where usage.key_id = api_key.id), 0)
  `.execute(db);
  await db.schema
    .createIndex('api_key_account_created')
    .on('api_key')
    .columns(['account_id', 'created_at'])
    .execute();
  // Without it, deleting a key reads every analysis there is.
  await db.schema.createIndex('analysis_key').on('analysis').column('key_id').execute();
}
