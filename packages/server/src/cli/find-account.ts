import type { Database } from '../storage/database.js';

/** The id of the account that a command is for. */
export async function findAccount({ query }: Pick<Database, 'query'>, name: string): Promise<number> {
  const row = await query.selectFrom('account').select('id').where('name', '=', name).executeTakeFirst();
  if (!row) throw new Error(`There is no account "${name}"; accounts list shows those that there are`);
  return row.id;
}
