import { ownerOfId } from '../../storage/blobs/owned-id.js';
import type { AccountFiles, OnBatch } from './account-files.js';
import type { NamedFiles } from './named-files.js';

/** A store of files or folders by id. */
export interface DeletableStore {
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
