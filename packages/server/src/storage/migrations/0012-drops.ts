import { type Kysely, sql } from 'kysely';

/** Drops with keys that open nothing else, and the files and folders that their owners see by FTP. The files' bytes are in the data folder, by id. */
export async function createDrops(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('api_key')
    .addColumn('scope', 'text', (column) =>
      column.notNull().defaultTo('account').check(sql`scope in ('account', 'drop')`),
    )
    .execute();
  await db.schema
    .createTable('drop_box')
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull().unique())
    .addColumn('key_id', 'bigint', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('destination', 'text')
    .addColumn('sealed_secrets', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .addPrimaryKeyConstraint('drop_box_key', ['account_id', 'id'])
    .execute();

  await db.schema
    .createTable('drop_folder')
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('drop_id', 'bigint', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('parent', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('drop_folder_key', ['account_id', 'drop_id', 'path'])
    .addForeignKeyConstraint('drop_folder_drop', ['account_id', 'drop_id'], 'drop_box', ['account_id', 'id'])
    .execute();
  await db.schema
    .createIndex('drop_folder_parent')
    .on('drop_folder')
    .columns(['account_id', 'drop_id', 'parent', 'path'])
    .execute();

  await db.schema
    .createTable('drop_file')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('drop_id', 'bigint', (column) => column.notNull())
    .addColumn('area', 'text', (column) =>
      column.notNull().check(sql`area in ('incoming', 'done', 'failed')`),
    )
    .addColumn('parent', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) =>
      column
        .notNull()
        .check(
          sql`state in ('receiving', 'partial', 'held', 'arrived', 'predicted', 'written', 'done', 'failed')`,
        ),
    )
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('fileid', 'text')
    .addColumn('labels', 'text')
    .addColumn('output', 'text')
    .addColumn('delivered_to', 'text')
    .addColumn('error', 'text')
    .addColumn('came_parent', 'text')
    .addColumn('came_name', 'text')
    .addColumn('failing_since', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('modified_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    // Without a cascade: a file has bytes, and goes only where these go too.
    .addForeignKeyConstraint('drop_file_drop', ['account_id', 'drop_id'], 'drop_box', ['account_id', 'id'])
    .execute();
  await db.schema
    .createIndex('drop_file_path')
    .on('drop_file')
    .columns(['account_id', 'drop_id', 'area', 'parent', 'name', 'created_at'])
    .execute();
  // What has ended keeps a name of its own; what is incoming may have the name of what came before it.
  await db.schema
    .createIndex('drop_file_ended_path')
    .unique()
    .on('drop_file')
    .columns(['account_id', 'drop_id', 'area', 'parent', 'name'])
    .where(sql.ref('area'), '<>', sql.lit('incoming'))
    .execute();
  await db.schema
    .createIndex('drop_file_unfinished')
    .on('drop_file')
    .columns(['account_id', 'drop_id', 'state'])
    .where(sql.ref('ended_at'), 'is', null)
    .execute();
  await db.schema
    .createIndex('drop_file_newest')
    .on('drop_file')
    .columns(['account_id', 'drop_id', 'created_at', 'id'])
    .execute();
  await db.schema
    .createIndex('drop_file_ended')
    .on('drop_file')
    .columns(['account_id', 'drop_id', 'state', 'ended_at'])
    .execute();

  await db.schema
    .createTable('drop_event')
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('file_id', 'text', (column) => column.notNull().references('drop_file.id').onDelete('cascade'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('what', 'text', (column) => column.notNull())
    .addColumn('detail', 'text')
    .execute();
  await db.schema.createIndex('drop_event_file').on('drop_event').columns(['file_id', 'at']).execute();
}
