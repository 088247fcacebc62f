import type { Kysely } from 'kysely';
import { setMinimumVersion } from './minimum-version.js';

/** Which objects of a bucket have the bytes of drops' files. */
export async function createDropFileChunks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('drop_file_chunk')
    .addColumn('bytes_id', 'text', (column) => column.notNull())
    .addColumn('offset_bytes', 'bigint', (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('object_id', 'text', (column) => column.notNull().unique())
    .addColumn('sha256', 'text')
    // Without a reference: they outlive the file's row until their objects are deleted.
    .addColumn('file_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('drop_file_chunk_key', ['bytes_id', 'offset_bytes'])
    .execute();
  await db.schema.createIndex('drop_file_chunk_file').on('drop_file_chunk').column('file_id').execute();
  await db.schema
    .createIndex('drop_file_chunk_account')
    .on('drop_file_chunk')
    .columns(['account_id', 'bytes_id', 'offset_bytes'])
    .execute();
  await setMinimumVersion(db, '0.1.0');
}
