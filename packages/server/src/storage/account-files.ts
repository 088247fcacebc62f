import { sql } from 'kysely';
import type { BlobStore } from './blobs/blob-store.js';
import { ownerOfId } from './blobs/owned-id.js';
import type { Database } from './database.js';
import type { FileColumn } from './file-columns.js';

/** Files of accounts in one store of this data folder. */
export interface AccountFiles {
  /** Such as `faces`; what the receipt calls them. */
  readonly store: string;
  /** Deletes those that rows of the account name, in batches; for as long as the rows are there. Tells of each batch. */
  deleteNamed(accountId: number, onBatch: OnBatch): Promise<void>;
  /** Deletes those that no row names and that are known to be the account's. */
  deleteOrphans(accountId: number, onBatch: OnBatch): Promise<void>;
}

/** Called with what was deleted since the last call. Throws to stop. */
type OnBatch = (deleted: { readonly items: number; readonly bytes: number }) => Promise<void>;

/** Ids of the files that rows of an account name, in pages. */
type NamedFiles = (accountId: number) => AsyncIterable<readonly string[]>;

/** A store of files or folders by id. */
interface DeletableStore {
  list(): AsyncIterable<{ readonly id: string }>;
  /** Bytes of what is there; 0 for nothing. */
  sizeOf(id: string): Promise<number>;
  /** What is not there is removed already. */
  remove(id: string): Promise<void>;
}

const batchSize = 100;

/**
 * Files of accounts in a store.
 * @param idsOf all ids in the store of what a row names; the one that it names unless given
 */
export function storeFiles(
  store: string,
  files: DeletableStore,
  named: NamedFiles,
  idsOf: (id: string) => readonly string[] = (id) => [id],
): AccountFiles {
  const deleteAll = async (ids: readonly string[], onBatch: OnBatch): Promise<void> => {
    for (let at = 0; at < ids.length; at += batchSize) {
      const sizes = await Promise.all(
        ids.slice(at, at + batchSize).map(async (id) => {
          const size = await files.sizeOf(id);
          await files.remove(id);
          return size;
        }),
      );
      const there = sizes.filter((size) => size > 0);
      await onBatch({ items: there.length, bytes: there.reduce((sum, size) => sum + size, 0) });
    }
  };
  return {
    store,
    async deleteNamed(accountId, onBatch) {
      for await (const ids of named(accountId)) await deleteAll(ids.flatMap(idsOf), onBatch);
    },
    async deleteOrphans(accountId, onBatch) {
      const found: string[] = [];
      for await (const { id } of files.list()) if (ownerOfId(id) === accountId) found.push(id);
      await deleteAll(found, onBatch);
    },
  };
}

/** Blobs as a store whose files are counted. */
export function deletableBlobs({
  list,
  sizeOf,
  remove,
}: Pick<BlobStore, 'list' | 'sizeOf' | 'remove'>): DeletableStore {
  return { list, remove, sizeOf: async (id) => (await sizeOf(id)) ?? 0 };
}

const pageSize = 300;

/** Files that a column of a table with `account_id` names. */
export function filesNamedBy(
  { query }: Pick<Database, 'query'>,
  { table, column, condition, order }: FileColumn,
): NamedFiles {
  const columns = sql.join(order.map((name) => sql.ref(name)));
  return async function* (accountId) {
    for (let after: readonly unknown[] | undefined; ; ) {
      const behind = after === undefined ? sql`` : sql`and (${columns}) > (${sql.join(after)})`;
      const { rows } = await sql<Record<string, unknown>>`
        select ${sql.ref(column)} as file, ${sql.join(order.map((name, at) => sql`${sql.ref(name)} as ${sql.ref(`by_${at}`)}`))}
        from ${sql.table(table)} where account_id = ${accountId} and ${sql.raw(condition)} ${behind}
        order by ${columns} limit ${sql.lit(pageSize)}`.execute(query);
      if (rows.length > 0) yield rows.map(({ file }) => String(file));
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageSize) return;
      after = order.map((_name, at) => last[`by_${at}`]);
    }
  };
}
