import { type Kysely, sql } from 'kysely';

/** The spelling in which people are searched, and audit entries that are written before what they tell. */
export async function searchPeople(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('web_user')
    .addColumn('search_text', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  const { rows } = await sql<{ id: number; name: string; email_key: string }>`
    select id, name, email_key from web_user`.execute(db);
  for (const { id, name, email_key } of rows) {
    const text = `${name.normalize('NFKC').toLowerCase()}\n${email_key}`;
    await sql`update web_user set search_text = ${text} where id = ${id}`.execute(db);
  }
  await db.schema
    .alterTable('audit_entry')
    .addColumn('state', 'text', (column) =>
      column.notNull().defaultTo('done').check(sql`state in ('begun', 'done')`),
    )
    .execute();
}
