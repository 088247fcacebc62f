import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.js';

/** Accounts, their keys, the calls they made, and the analyses they can read again. */
export async function createAccounts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('account')
    .addColumn('id', types.id.type, types.id.build)
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('plan', 'text', (column) => column.notNull().check(sql`plan in ('paid', 'trial')`))
    .addColumn('call_limit', 'bigint', (column) => column.check(sql`call_limit >= 0`))
    .addColumn('calls_used', 'bigint', (column) => column.notNull().defaultTo(0).check(sql`calls_used >= 0`))
    .addColumn('result_days', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('api_key')
    .addColumn('id', types.id.type, types.id.build)
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await db.schema.createIndex('api_key_account').on('api_key').column('account_id').execute();

  await db.schema
    .createTable('usage')
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('key_id', 'bigint', (column) => column.notNull().references('api_key.id').onDelete('cascade'))
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('calls', 'bigint', (column) => column.notNull().check(sql`calls >= 0`))
    .addPrimaryKeyConstraint('usage_key', ['key_id', 'day', 'operation'])
    .execute();
  await db.schema.createIndex('usage_account').on('usage').columns(['account_id', 'day']).execute();

  await db.schema
    .createTable('analysis')
    .addColumn('fileid', 'text', (column) => column.notNull().primaryKey())
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('key_id', 'bigint', (column) => column.notNull().references('api_key.id').onDelete('cascade'))
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('record', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('analysis_account')
    .on('analysis')
    .columns(['account_id', 'created_at'])
    .execute();
  await db.schema.createIndex('analysis_expiry').on('analysis').column('expires_at').execute();
}
