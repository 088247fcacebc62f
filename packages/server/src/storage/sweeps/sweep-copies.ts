import { batchesOf } from '../../core/batches-of.js';
import type { FileCache } from '../objects/file-cache.js';
import { isStoreName, type StoreName } from '../quarantine/store-names.js';
import type { SweptStore } from '../quarantine/sweep-store.js';
import type { Sweep } from './sweep.js';

type NamingStore = Pick<SweptStore, 'name' | 'findNamed' | 'findNamedCopies'>;

const batchSize = 300;

/**
 * Deletes files on this machine of objects that no row names any more: another replica deleted those. One that is held goes when it
 * is released.
 */
export function sweepCopies(
  cache: Pick<FileCache, 'keys' | 'forget'>,
  stores: readonly NamingStore[],
): Sweep {
  const work = async () => {
    const byStore = new Map<StoreName, string[]>();
    for (const key of cache.keys()) {
      const { store, name } = partsOfKey(key);
      const names = byStore.get(store);
      if (names) names.push(name);
      else byStore.set(store, [name]);
    }
    for (const { name: store, findNamed, findNamedCopies = findNamed } of stores) {
      for await (const batch of batchesOf(byStore.get(store) ?? [], batchSize)) {
        const named = await findNamedCopies(batch);
        for (const name of batch) if (!named.has(name)) await cache.forget(`${store}-${name}`);
      }
    }
  };
  return {
    name: 'file-copies',
    isLocal: true,
    // What it deletes is in the bucket still, or was deleted there.
    isRepair: true,
    async run() {
      await work();
      return 'done';
    },
  };
}

function partsOfKey(key: string): { readonly store: StoreName; readonly name: string } {
  const at = key.indexOf('-');
  const store = key.slice(0, at);
  if (!isStoreName(store)) throw new Error(`${key} is no key of a file in the cache`);
  return { store, name: key.slice(at + 1) };
}
