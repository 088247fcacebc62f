import { type Kysely, sql } from 'kysely';

/**
 * Who works on what, until when, and how often that changed hands: by owner and epoch a service that lost its lease is refused.
 * `folder_uid` of a job: the data folder whose service alone can read what the job needs; null: any.
 */
export async function addLeases(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('lease')
    .addColumn('name', 'text', (column) => column.notNull().primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('leased_until', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .alterTable('job')
    .addColumn('lease_epoch', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('job').addColumn('folder_uid', 'text').execute();
  await db.schema.alterTable('drop_file').addColumn('lease_owner', 'text').execute();
  await db.schema.alterTable('drop_file').addColumn('leased_until', 'bigint').execute();
  await db.schema
    .alterTable('drop_file')
    .addColumn('lease_epoch', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  // Transfers under way are few among any number of files.
  await db.schema
    .createIndex('drop_file_receiving')
    .on('drop_file')
    .column('leased_until')
    .where(sql.ref('state'), '=', sql.lit('receiving'))
    .execute();
}
