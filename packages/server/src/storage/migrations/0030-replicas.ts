import type { Kysely } from 'kysely';

/**
 * What services on one database know of each other: which of them run, which one leads, how often something was tried that may
 * be a guess, and the oldest version that may start.
 */
export async function createReplicas(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('replica')
    .addColumn('uid', 'text', (column) => column.primaryKey().notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('roles', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('leader_lease')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('leased_until', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('throttle')
    // A digest: names of users and addresses of visitors are not kept for it.
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('times', 'bigint', (column) => column.notNull())
    .addColumn('held', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .addColumn('forget_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('throttle_age').on('throttle').column('forget_at').execute();
  await db.schema
    .alterTable('account')
    .addColumn('exact_rate_limits', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('minimum_version')
    .addColumn('only', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .execute();
}
