import { type Compilable, sql } from 'kysely';
import type { Database } from '../storage/database.js';

/**
 * First in a unit whose next statement looks at several rows of an account before it writes: it holds the account's row,
 * so that of two such units the second sees what the first did, also on PostgreSQL, where they may run side by side.
 */
export function holdAccount({ query }: Pick<Database, 'query'>, accountId: number): Compilable {
  return query.updateTable('account').set({ name: sql<string>`name` }).where('id', '=', accountId);
}
