import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.js';
import { setMinimumVersion } from './minimum-version.js';

/** Listeners for clients that know an address and a port alone: each lets in by one key, from named networks. */
export async function createCompatListeners(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('compat_listener')
    .addColumn('id', types.id.type, types.id.build)
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('key_id', 'bigint', (column) => column.notNull().references('api_key.id').onDelete('cascade'))
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('port', 'bigint', (column) => column.notNull().unique())
    .addColumn('networks', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('compat_listener_account')
    .on('compat_listener')
    .columns(['account_id', 'id'])
    .execute();
  // A key that is deleted takes its listeners along.
  await db.schema.createIndex('compat_listener_key').on('compat_listener').column('key_id').execute();
  await setMinimumVersion(db, '0.1.0');
}
