import { type Kysely, sql } from 'kysely';

/** Which installation a database is, and the data folders that belong to it. */
export async function identifyInstallation(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('installation')
    // There is one: of two services that name it at once, the second meets the first one's row.
    .addColumn('only', 'bigint', (column) => column.primaryKey().check(sql`"only" = 1`))
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('data_folder')
    .addColumn('uid', 'text', (column) => column.notNull().primaryKey())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('generation', 'bigint', (column) => column.notNull())
    .addColumn('joined_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addColumn('stopped_at', 'bigint')
    .addColumn('retired_at', 'bigint')
    .addColumn('finding', 'text')
    .addColumn('found_at', 'bigint')
    .execute();
}
