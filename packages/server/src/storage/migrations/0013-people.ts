import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.js';

/** People who sign in to the web account, their sessions, the links that let them in, and what was changed by whom. */
export async function createPeople(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  // Without an index of its own: it is asked for beside the account.
  await db.schema
    .alterTable('api_key')
    .addColumn('is_web', 'bigint', (column) => column.notNull().defaultTo(0).check(sql`is_web in (0, 1)`))
    .execute();

  await db.schema
    .createTable('web_user')
    .addColumn('id', types.id.type, types.id.build)
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('key_id', 'bigint', (column) => column.notNull().unique())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_key', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull().check(sql`role in ('owner', 'member', 'reader')`))
    .addColumn('is_administrator', 'bigint', (column) =>
      column.notNull().defaultTo(0).check(sql`is_administrator in (0, 1)`),
    )
    .addColumn('sealed_totp', 'text')
    .addColumn('sealed_next_totp', 'text')
    .addColumn('totp_step', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('signed_in_at', 'bigint')
    .execute();
  await db.schema.createIndex('web_user_account').on('web_user').column('account_id').execute();

  await db.schema
    .createTable('web_recovery_code')
    .addColumn('user_id', 'bigint', (column) =>
      column.notNull().references('web_user.id').onDelete('cascade'),
    )
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('web_recovery_code_key', ['user_id', 'hash'])
    .execute();

  await db.schema
    .createTable('web_session')
    .addColumn('id', types.id.type, types.id.build)
    .addColumn('user_id', 'bigint', (column) =>
      column.notNull().references('web_user.id').onDelete('cascade'),
    )
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('web_session_user').on('web_session').columns(['user_id', 'address']).execute();
  await db.schema.createIndex('web_session_age').on('web_session').column('last_used_at').execute();

  await db.schema
    .createTable('web_page_key')
    .addColumn('hash', 'text', (column) => column.notNull().primaryKey())
    .addColumn('session_id', 'bigint', (column) =>
      column.notNull().references('web_session.id').onDelete('cascade'),
    )
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('web_page_key_session').on('web_page_key').column('session_id').execute();

  await db.schema
    .createTable('web_link')
    .addColumn('id', types.id.type, types.id.build)
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('kind', 'text', (column) =>
      column.notNull().check(sql`kind in ('first', 'invitation', 'reset')`),
    )
    .addColumn('account_id', 'bigint', (column) => column.references('account.id').onDelete('cascade'))
    .addColumn('user_id', 'bigint', (column) => column.references('web_user.id').onDelete('cascade'))
    .addColumn('email', 'text')
    .addColumn('role', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('used_at', 'bigint')
    .execute();
  await db.schema.createIndex('web_link_account').on('web_link').column('account_id').execute();
  await db.schema.createIndex('web_link_user').on('web_link').column('user_id').execute();

  await db.schema
    .createTable('audit_entry')
    .addColumn('id', types.id.type, types.id.build)
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('who_kind', 'text', (column) =>
      column.notNull().check(sql`who_kind in ('user', 'key', 'operator')`),
    )
    .addColumn('who_id', 'bigint')
    .addColumn('who_name', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject_kind', 'text')
    .addColumn('subject_id', 'text')
    .addColumn('subject_name', 'text')
    .addColumn('details', 'text')
    .addColumn('address', 'text')
    .execute();
  await db.schema
    .createIndex('audit_entry_account')
    .on('audit_entry')
    .columns(['account_id', 'id'])
    .execute();
  await db.schema.createIndex('audit_entry_age').on('audit_entry').column('at').execute();
}
