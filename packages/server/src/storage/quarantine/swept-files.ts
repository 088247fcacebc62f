import { sql } from 'kysely';
import type { Database } from '../database.js';
import { fileColumns } from '../file-columns.js';
import type { SweptStore } from './sweep-store.js';

/** Files of a store that a column of a table names. */
export function sweptFiles(
  name: keyof typeof fileColumns,
  { query }: Pick<Database, 'query'>,
  { list, placeOf }: Pick<SweptStore, 'list' | 'placeOf'>,
): SweptStore {
  const { table, column } = fileColumns[name];
  return {
    name,
    list,
    placeOf,
    async findNamed(ids) {
      const { rows } = await sql<{ readonly id: string }>`
        select ${sql.ref(column)} as id from ${sql.table(table)}
        where ${sql.ref(column)} in (${sql.join(ids)})`.execute(query);
      return new Set(rows.map(({ id }) => id));
    },
  };
}

/** Whether a row names this file: asked of the database, which is near, and not of the store. */
export function isNamedIn({ findNamed }: Pick<SweptStore, 'findNamed'>): (id: string) => Promise<boolean> {
  return async (id) => (await findNamed([id])).has(id);
}
