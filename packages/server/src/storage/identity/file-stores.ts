import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DataFolder } from '../data-folder.js';
import { fileColumns } from '../file-columns.js';
import type { Schema } from '../schema.js';

export type StoreFolders = Pick<
  DataFolder,
  'facesDir' | 'datasetsDir' | 'imagesDir' | 'customModelsDir' | 'dropsDir' | 'mediaDir'
>;

/** A folder in the data folder whose files are lost for good when they are deleted, and the rows that name them. */
export interface FileStore {
  readonly store: string;
  readonly dir: string;
  /** Characters of a name that name the folder it is in; 0: all lie in one. */
  readonly shardLength: 0 | 2;
  readonly pattern: RegExp;
  /** So many characters of a name are its file's id; what was made of the file has more. */
  readonly idLength: number;
  readonly table: string;
  readonly column: string;
  /** SQL that is true of rows that name a file which is surely there. */
  readonly condition: string;
}

const maxIdLength = 100;
const uidLength = 36;

/** Imports and features are left out: they are gone, or made again, within hours. */
export function fileStores(folder: StoreFolders): readonly FileStore[] {
  const blobs = { shardLength: 2, pattern: /^[a-z0-9-]{8,100}$/, idLength: maxIdLength } as const;
  return [
    { ...blobs, ...fileColumns.faces, store: 'faces', dir: folder.facesDir },
    { ...blobs, ...fileColumns.datasets, store: 'datasets', dir: folder.datasetsDir },
    { ...blobs, ...fileColumns.images, store: 'analysed images', dir: folder.imagesDir },
    {
      ...fileColumns.models,
      store: 'custom models',
      dir: folder.customModelsDir,
      shardLength: 0,
      pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      idLength: uidLength,
    },
    {
      ...fileColumns.drops,
      store: 'drops',
      dir: folder.dropsDir,
      shardLength: 2,
      pattern: /^[a-z0-9-]{36,100}(\.xmp)?$/,
      idLength: uidLength,
      // What is beside a file has a row with a longer id.
      condition: `state not in ('receiving', 'partial') and length(id) <= ${uidLength}`,
    },
    { ...blobs, ...fileColumns.media, store: 'media', dir: folder.mediaDir },
  ];
}

type Rows = Pick<FileStore, 'table' | 'column' | 'condition'>;

/** Rows that name a file. */
export function countRows(query: Kysely<Schema>, { table, condition }: Rows): Promise<number> {
  return count(query, sql`select count(*) as n from ${sql.table(table)} where ${sql.raw(condition)}`);
}

/** How many of these files a row names. */
export function countNamed(
  query: Kysely<Schema>,
  { table, column }: Rows,
  ids: readonly string[],
): Promise<number> {
  return count(
    query,
    sql`select count(*) as n from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join(ids)})`,
  );
}

async function count(query: Kysely<Schema>, statement: RawBuilder<unknown>): Promise<number> {
  const { rows } = await statement.$castTo<{ readonly n: number }>().execute(query);
  return rows[0]?.n ?? 0;
}
