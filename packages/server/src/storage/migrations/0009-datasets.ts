import { type Kysely, sql } from 'kysely';

/** Labelled pictures to train with. Ids count up from 1001 in each account, as those of perceptions do. */
export async function createDatasets(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('dataset')
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('task', 'text', (column) =>
      column.notNull().check(sql`task in ('classification', 'object_detection')`),
    )
    .addColumn('multi_label', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .addPrimaryKeyConstraint('dataset_key', ['account_id', 'id'])
    .execute();

  await db.schema
    .createTable('dataset_class')
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('dataset_id', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('dataset_class_key', ['account_id', 'id'])
    .addUniqueConstraint('dataset_class_name', ['account_id', 'dataset_id', 'name'])
    .addForeignKeyConstraint(
      'dataset_class_dataset',
      ['account_id', 'dataset_id'],
      'dataset',
      ['account_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();

  await db.schema
    .createTable('dataset_picture')
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('dataset_id', 'bigint', (column) => column.notNull())
    .addColumn('file_name', 'text', (column) => column.notNull())
    .addColumn('search_text', 'text', (column) => column.notNull())
    .addColumn('blob_id', 'text', (column) => column.notNull().unique())
    .addColumn('picture_kind', 'text', (column) => column.notNull())
    .addColumn('picture_bytes', 'bigint', (column) => column.notNull())
    .addColumn('picture_sha256', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('width', 'bigint', (column) => column.notNull())
    .addColumn('height', 'bigint', (column) => column.notNull())
    .addColumn('labelled', 'bigint', (column) => column.notNull())
    .addColumn('split', 'text', (column) => column.check(sql`split in ('train', 'held-out')`))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('dataset_picture_key', ['account_id', 'id'])
    .addUniqueConstraint('dataset_picture_bytes', ['account_id', 'dataset_id', 'picture_sha256'])
    // Without a cascade: a picture has a file, and goes only where that goes too.
    .addForeignKeyConstraint('dataset_picture_dataset', ['account_id', 'dataset_id'], 'dataset', [
      'account_id',
      'id',
    ])
    .execute();
  await db.schema
    .createIndex('dataset_picture_of_dataset')
    .on('dataset_picture')
    .columns(['account_id', 'dataset_id', 'id'])
    .execute();

  await db.schema
    .createTable('dataset_label')
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('picture_id', 'bigint', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('class_id', 'bigint', (column) => column.notNull())
    .addColumn('x_min', 'double precision')
    .addColumn('y_min', 'double precision')
    .addColumn('x_max', 'double precision')
    .addColumn('y_max', 'double precision')
    .addPrimaryKeyConstraint('dataset_label_key', ['account_id', 'picture_id', 'position'])
    .addForeignKeyConstraint(
      'dataset_label_picture',
      ['account_id', 'picture_id'],
      'dataset_picture',
      ['account_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .addForeignKeyConstraint('dataset_label_class', ['account_id', 'class_id'], 'dataset_class', [
      'account_id',
      'id',
    ])
    .execute();
  await db.schema
    .createIndex('dataset_label_of_class')
    .on('dataset_label')
    .columns(['account_id', 'class_id', 'picture_id'])
    .execute();
}
