import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.js';
import { setMinimumVersion } from './minimum-version.js';

/** Keys for clients of other services, with what such a client cannot say itself. */
export async function createCompatKeys(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await widenScope(db, types);
  await db.schema
    .createTable('compat_key')
    .addColumn('key_id', 'bigint', (column) =>
      column.primaryKey().references('api_key.id').onDelete('cascade'),
    )
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('compat_key_account')
    .on('compat_key')
    .columns(['account_id', 'key_id'])
    .execute();
  await setMinimumVersion(db, '0.1.0');
}

/** SQLite changes no constraint: the column is made again, which its own constraint goes with. */
async function widenScope(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const scopes = sql`('account', 'drop', 'compat')`;
  if (types.changesConstraints) {
    await sql`alter table api_key drop constraint if exists api_key_scope_check`.execute(db);
    await sql`alter table api_key add constraint api_key_scope_check check (scope in ${scopes})`.execute(db);
    return;
  }
  await sql`alter table api_key add column new_scope text not null default 'account' check (new_scope in ${scopes})`.execute(
    db,
  );
  await sql`update api_key set new_scope = scope`.execute(db);
  await sql`alter table api_key drop column scope`.execute(db);
  await sql`alter table api_key rename column new_scope to scope`.execute(db);
}
