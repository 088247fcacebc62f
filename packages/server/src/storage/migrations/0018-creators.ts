import { type Kysely, sql } from 'kysely';

/**
 * Who created keys and links: unknown of those there are. And of the key of the installation a value to know it by, in the place of
 * the secret that signed links of images: whoever had a copy of the database could sign some too.
 */
export async function rememberCreators(db: Kysely<unknown>): Promise<void> {
  for (const table of ['api_key', 'web_link']) {
    await db.schema
      .alterTable(table)
      .addColumn('creator_kind', 'text', (column) =>
        column.check(sql`creator_kind in ('user', 'key', 'operator')`),
      )
      .execute();
    // No references: who has left is remembered by what they created.
    await db.schema.alterTable(table).addColumn('creator_user_id', 'bigint').execute();
    await db.schema.alterTable(table).addColumn('creator_key_id', 'bigint').execute();
  }
  await db.schema
    .createTable('installation_key')
    .addColumn('id', 'bigint', (column) => column.notNull().primaryKey().check(sql`id = 1`))
    .addColumn('check_value', 'text', (column) => column.notNull())
    .execute();
  // First the rows, whose bytes are written over.
  await sql`delete from secret`.execute(db);
  await db.schema.dropTable('secret').execute();
}
