import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.js';

/**
 * Accounts that are closed and about to be deleted, and receipts of those that were. A receipt names an account by its id, which
 * is never given again, and refers to nothing: it stays when all else is gone.
 */
export async function createAccountDeletions(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable('account').addColumn('closed_at', 'bigint').execute();
  await db.schema
    .createTable('account_deletion')
    .addColumn('id', types.id.type, types.id.build)
    .addColumn('account_id', 'bigint', (column) => column.notNull().unique())
    .addColumn('asked_kind', 'text', (column) =>
      column.notNull().check(sql`asked_kind in ('user', 'operator')`),
    )
    .addColumn('asked_id', 'bigint')
    .addColumn('asked_at', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('begun_at', 'bigint')
    .addColumn('rows_deleted_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('lease_owner', 'text')
    .addColumn('leased_until', 'bigint')
    .addColumn('waits_for', 'text')
    .execute();
  await db.schema
    .createTable('account_deletion_folder')
    .addColumn('deletion_id', 'bigint', (column) =>
      column.notNull().references('account_deletion.id').onDelete('cascade'),
    )
    .addColumn('folder_uid', 'text', (column) => column.notNull())
    .addColumn('named_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addPrimaryKeyConstraint('account_deletion_folder_key', ['deletion_id', 'folder_uid'])
    .execute();
  await db.schema
    .createTable('account_deletion_count')
    .addColumn('deletion_id', 'bigint', (column) =>
      column.notNull().references('account_deletion.id').onDelete('cascade'),
    )
    // Empty: of rows of the database.
    .addColumn('folder_uid', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('items', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('account_deletion_count_key', ['deletion_id', 'folder_uid', 'kind'])
    .execute();
}
