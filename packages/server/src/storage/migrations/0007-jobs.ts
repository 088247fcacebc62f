import { type Kysely, sql } from 'kysely';

/** Work that outlives requests and restarts. */
export async function createJobs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('job')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) =>
      column.notNull().check(sql`state in ('waiting', 'running', 'done', 'failed', 'cancelled')`),
    )
    .addColumn('attempts', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('leased_until', 'bigint')
    .addColumn('cancel_asked', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('stage', 'text')
    .addColumn('done', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('total', 'bigint')
    .addColumn('result', 'text')
    .addColumn('error', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .execute();
  // One at a time on one thing.
  await db.schema
    .createIndex('job_unfinished')
    .unique()
    .on('job')
    .columns(['account_id', 'kind', 'subject'])
    .where(sql.ref('ended_at'), 'is', null)
    .execute();
  await db.schema
    .createIndex('job_due')
    .on('job')
    .columns(['kind', 'due_at'])
    .where(sql.ref('ended_at'), 'is', null)
    .execute();
  await db.schema
    .createIndex('job_of_account')
    .on('job')
    .columns(['account_id', 'kind', 'created_at', 'id'])
    .execute();
  await db.schema.createIndex('job_ended').on('job').column('ended_at').execute();
}
