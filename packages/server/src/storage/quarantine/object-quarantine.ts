import type { Bucket } from '../objects/bucket.js';
import { dayOf, type OrphanedItem, ownedItems, type Quarantine, type QuarantinedItem } from './quarantine.js';
import { type StoreName, storeOfFolder } from './store-names.js';

const beginning = 'quarantine/';
const keyPattern =
  /^quarantine\/(\d{4}-\d{2}-\d{2})\/([a-z]+)\/(?:account-(\d{1,16})|unknown)\/([a-z0-9-]{8,100}(?:\.xmp)?)$/;

/**
 * The quarantine of stores in a bucket: the same names below `quarantine/`. Stores of objects know no rename, so an item is
 * copied, looked for, and only then deleted where it was; after a kill between, it has two places and never none. With every
 * listing as late as the store has it, the next sweep takes what this one did not see.
 */
export function createObjectQuarantine(bucket: Bucket): Quarantine {
  const list = async function* (only?: StoreName): AsyncIterable<QuarantinedItem> {
    for await (const { key } of bucket.list(beginning)) {
      const [, day, folder, account, id] = keyPattern.exec(key) ?? [];
      if (day === undefined || folder === undefined || id === undefined) continue;
      const store = storeOfFolder(folder);
      if (store === null || (only !== undefined && store !== only)) continue;
      yield { store, id, accountId: account === undefined ? null : Number(account), day, path: key };
    }
  };
  const move = async (from: string, to: string): Promise<boolean> => {
    if (!(await copyWhole(bucket, from, to))) return false;
    await bucket.remove(from);
    return true;
  };
  const deleteItems = async (items: readonly QuarantinedItem[]) => {
    for (const { path } of items) await bucket.remove(path);
  };

  return {
    list,
    delete: deleteItems,

    async sizeOf({ path }) {
      return (await bucket.head(path))?.sizeBytes ?? 0;
    },

    async move(store, items, nowMs) {
      let moved = 0;
      for (const item of items) if (await move(item.path, keyIn(store, item, nowMs))) moved += 1;
      return moved;
    },

    async restore(items) {
      let restored = 0;
      for (const { item, path } of items) if (await move(item.path, path)) restored += 1;
      return restored;
    },

    async deleteOwned(accountId) {
      const owned = await ownedItems(list(), accountId);
      await deleteItems(owned);
      return owned.length;
    },
  };
}

/**
 * Copies what is about to be replaced where it is. False where it is there no longer, or has a namesake of the same day with other
 * bytes in quarantine.
 */
export async function copyToQuarantine(
  bucket: Bucket,
  store: StoreName,
  item: OrphanedItem,
  nowMs: number,
): Promise<boolean> {
  return copyWhole(bucket, item.path, keyIn(store, item, nowMs));
}

function keyIn(store: StoreName, { id, accountId }: OrphanedItem, nowMs: number): string {
  const owner = accountId === null ? 'unknown' : `account-${accountId}`;
  return `${beginning}${dayOf(nowMs)}/${store}/${owner}/${id}`;
}

async function copyWhole(bucket: Bucket, from: string, to: string): Promise<boolean> {
  const [source, target] = [await bucket.head(from), await bucket.head(to)];
  if (source === null) return false;
  // What was copied before a kill is there already; another namesake stays where it is.
  if (target !== null) return target.sizeBytes === source.sizeBytes && target.sha256 === source.sha256;
  if (!(await bucket.copy(from, to))) return false;
  return (await bucket.head(to))?.sizeBytes === source.sizeBytes;
}
