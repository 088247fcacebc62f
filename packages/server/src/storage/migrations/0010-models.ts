import { type Kysely, sql } from 'kysely';

/** Customers' models and their versions. A model's id counts with those of perceptions: v1 calls both `model_id`. */
export async function createModels(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('model')
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('task', 'text', (column) =>
      column.notNull().check(sql`task in ('classification', 'object_detection')`),
    )
    .addColumn('dataset_id', 'bigint')
    .addColumn('version', 'bigint')
    .addColumn('last_version', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .addPrimaryKeyConstraint('model_key', ['account_id', 'id'])
    .execute();

  await db.schema
    .createTable('model_version')
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('model_id', 'bigint', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull().unique())
    .addColumn('origin', 'text', (column) => column.notNull().check(sql`origin in ('training', 'upload')`))
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('labels', 'text', (column) => column.notNull())
    .addColumn('report', 'text')
    .addColumn('job_id', 'text', (column) => column.unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('model_version_key', ['account_id', 'model_id', 'number'])
    // Without a cascade: a version has files, and goes only where these go too.
    .addForeignKeyConstraint('model_version_model', ['account_id', 'model_id'], 'model', ['account_id', 'id'])
    .execute();
}
