import { sql } from 'kysely';
import type { Database } from '../database.js';
import { fileColumns } from '../file-columns.js';
import type { MovedStoreName } from './object-storage.js';

const pageSize = 500;

/** Ids of the blobs of a store that rows name, in pages. Zips of imports are named by jobs, which end within hours. */
export async function* namedBlobs(
  { query }: Pick<Database, 'query'>,
  store: MovedStoreName,
): AsyncIterable<readonly string[]> {
  if (store === 'imports') return;
  const { table, column, condition } = fileColumns[store];
  for (let after = ''; ; ) {
    const { rows } = await sql<{ readonly id: string }>`
      select ${sql.ref(column)} as id from ${sql.table(table)}
      where ${sql.raw(condition)} and ${sql.ref(column)} > ${after} order by ${sql.ref(column)} limit ${sql.lit(pageSize)}`.execute(
      query,
    );
    if (rows.length > 0) yield rows.map(({ id }) => id);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.id;
  }
}
