import { type Kysely, sql } from 'kysely';

/** How often second factors were guessed, and which sessions began before their cookie had the prefix `__Host-`. */
export async function countCodes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('web_code_counter')
    .addColumn('user_id', 'bigint', (column) =>
      column.notNull().references('web_user.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('failures', 'bigint', (column) => column.notNull())
    .addColumn('unseen', 'bigint', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('web_code_counter_key', ['user_id', 'name'])
    .execute();
  await db.schema.createIndex('web_code_counter_age').on('web_code_counter').column('last_at').execute();
  await db.schema
    .alterTable('web_session')
    .addColumn('allows_plain_cookie', 'bigint', (column) =>
      column.notNull().defaultTo(0).check(sql`allows_plain_cookie in (0, 1)`),
    )
    .execute();
  await sql`update web_session set allows_plain_cookie = 1`.execute(db);
}
