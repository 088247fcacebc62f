import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../storage/database.js';
import type { Schema } from '../../storage/schema.js';

type Query = Pick<Database, 'query'>;

const pageSize = 300;

/** Ids of the files that rows of an account name, in pages. */
export type NamedFiles = (accountId: number) => AsyncIterable<readonly string[]>;

interface PagedBy {
  readonly table: keyof Schema;
  /** The column with the name of the file. */
  readonly id: string;
  /** Columns of an index behind the account, by which the next page is found. */
  readonly by: readonly string[];
  readonly condition?: RawBuilder<boolean>;
}

export const faceImageFiles = ({ query }: Query) =>
  paged(query, { table: 'face_image', id: 'blob_id', by: ['id'] });

export const datasetImageFiles = ({ query }: Query) =>
  paged(query, { table: 'dataset_image', id: 'blob_id', by: ['id'] });

export const datasetUids = ({ query }: Query) => paged(query, { table: 'dataset', id: 'uid', by: ['id'] });

export const analysisImageFiles = ({ query }: Query) =>
  paged(query, {
    table: 'analysis',
    id: 'fileid',
    by: ['created_at', 'fileid'],
    condition: sql<boolean>`image_bytes is not null`,
  });

export const modelVersionUids = ({ query }: Query) =>
  paged(query, { table: 'model_version', id: 'uid', by: ['model_id', 'number'] });

export const dropFileIds = ({ query }: Query) =>
  paged(query, { table: 'drop_file', id: 'id', by: ['drop_id', 'created_at', 'id'] });

function paged(query: Database['query'], { table, id, by, condition }: PagedBy): NamedFiles {
  const columns = sql.join(by.map((name) => sql.ref(name)));
  return async function* (accountId) {
    for (let after: readonly unknown[] | undefined; ; ) {
      const behind = after === undefined ? sql`` : sql`and (${columns}) > (${sql.join(after)})`;
      const { rows } = await sql<Record<string, unknown>>`
        select ${sql.ref(id)} as file, ${sql.join(by.map((name, at) => sql`${sql.ref(name)} as ${sql.ref(`by_${at}`)}`))}
        from ${sql.table(table)} where account_id = ${accountId} ${condition ? sql`and ${condition}` : sql``} ${behind}
        order by ${columns} limit ${sql.lit(pageSize)}`.execute(query);
      if (rows.length > 0) yield rows.map(({ file }) => String(file));
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageSize) return;
      after = by.map((_name, at) => last[`by_${at}`]);
    }
  };
}
