import { type Kysely, sql } from 'kysely';

/** Due jobs are looked for account by account, so that accounts take turns. */
export async function indexJobsByAccount(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('job_due_of_account')
    .on('job')
    .columns(['kind', 'account_id', 'due_at'])
    .where(sql.ref('ended_at'), 'is', null)
    .execute();
  await db.schema.dropIndex('job_due').execute();
}
