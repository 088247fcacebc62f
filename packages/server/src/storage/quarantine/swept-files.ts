import type { Database } from '../database.js';
import type { StoreName } from './store-names.js';
import type { SweptStore } from './sweep-store.js';

interface NamingColumn {
  readonly table: 'face_image' | 'dataset_image' | 'analysis' | 'model_version' | 'media_blob';
  readonly column: 'blob_id' | 'fileid' | 'uid';
}

/** Files that a column of a table names. */
export function sweptFiles(
  name: StoreName,
  { query }: Pick<Database, 'query'>,
  { list, placeOf }: Pick<SweptStore, 'list' | 'placeOf'>,
  { table, column }: NamingColumn,
): SweptStore {
  return {
    name,
    list,
    placeOf,
    async findNamed(ids) {
      const rows = await query
        .selectFrom(table)
        .select((row) => row.ref(column).as('id'))
        .where(column, 'in', ids)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },
  };
}

/** Whether a row names this file: asked of the database, which is near, and not of the store. */
export function isNamedIn({ findNamed }: Pick<SweptStore, 'findNamed'>): (id: string) => Promise<boolean> {
  return async (id) => (await findNamed([id])).has(id);
}
