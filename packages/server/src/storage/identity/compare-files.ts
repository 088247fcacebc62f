import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { ifMissing } from '../missing-file.js';
import type { Schema } from '../schema.js';
import { countNamed, countRows, type FileStore, fileStores, type StoreFolders } from './file-stores.js';

/** How far files and rows agree. */
export interface Agreement {
  readonly files: number;
  /** Files that rows name. */
  readonly named: number;
  /** Rows that name a file, which may be in another folder. */
  readonly rows: number;
}

export interface Comparison extends Agreement {
  readonly stores: readonly (Agreement & { readonly store: string })[];
}

const batchSize = 500;

/**
 * Counts every file that must not be lost, those of them that rows name, and the rows that name one. It reads names
 * alone: a million files take seconds.
 * @param query null where there is no database
 * @param applied the migrations that it has
 */
export async function compareFiles(
  query: Kysely<Schema> | null,
  applied: ReadonlySet<string>,
  folder: StoreFolders,
): Promise<Comparison> {
  const stores: (Agreement & { readonly store: string })[] = [];
  for (const store of fileStores(folder)) {
    const rowsOf = applied.size > 0 ? query : null;
    let [files, named] = [0, 0];
    for await (const ids of listFiles(store)) {
      files += ids.length;
      if (rowsOf) named += await countNamed(rowsOf, store, ids);
    }
    stores.push({ store: store.store, files, named, rows: rowsOf ? await countRows(rowsOf, store) : 0 });
  }
  const sum = (of: keyof Agreement) => stores.reduce((total, store) => total + store[of], 0);
  return { stores, files: sum('files'), named: sum('named'), rows: sum('rows') };
}

/** Whether a folder has any file that must not be lost. */
export async function hasFiles(folder: StoreFolders): Promise<boolean> {
  for (const store of fileStores(folder)) {
    for await (const ids of listFiles(store)) if (ids.length > 0) return true;
  }
  return false;
}

async function* listFiles({ dir, shardLength, pattern, idLength }: FileStore): AsyncIterable<string[]> {
  const folders =
    shardLength === 0
      ? [dir]
      : (await namesIn(dir)).filter((name) => name.length === shardLength).map((name) => join(dir, name));
  for (const each of folders) {
    const names = (await namesIn(each)).filter((name) => pattern.test(name));
    const ids = [...new Set(names.map((name) => name.slice(0, idLength)))];
    for (let start = 0; start < ids.length; start += batchSize) yield ids.slice(start, start + batchSize);
  }
}

async function namesIn(dir: string): Promise<readonly string[]> {
  return readdir(dir).catch(ifMissing([]));
}
