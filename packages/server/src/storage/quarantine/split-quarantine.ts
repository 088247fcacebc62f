import type { Quarantine, QuarantinedItem } from './quarantine.js';
import type { StoreName } from './store-names.js';

/** One quarantine of stores that lie in two places: an item stays in the place of its store. */
export function splitQuarantine(
  folder: Quarantine,
  bucket: Quarantine,
  inBucket: ReadonlySet<StoreName>,
): Quarantine {
  const of = (store: StoreName) => (inBucket.has(store) ? bucket : folder);
  const partsOf = <T>(items: readonly T[], storeOf: (item: T) => StoreName) => [
    { place: folder, items: items.filter((item) => !inBucket.has(storeOf(item))) },
    { place: bucket, items: items.filter((item) => inBucket.has(storeOf(item))) },
  ];
  return {
    move: (store, items, nowMs) => of(store).move(store, items, nowMs),
    sizeOf: (item) => of(item.store).sizeOf(item),
    async *list(store): AsyncIterable<QuarantinedItem> {
      for (const place of store === undefined ? [folder, bucket] : [of(store)]) {
        // What was in the other place before the store was moved stays there.
        for await (const item of place.list(store)) if (of(item.store) === place) yield item;
      }
    },
    async restore(items) {
      let restored = 0;
      for (const { place, items: part } of partsOf(items, ({ item }) => item.store)) {
        if (part.length > 0) restored += await place.restore(part);
      }
      return restored;
    },
    async delete(items) {
      for (const { place, items: part } of partsOf(items, ({ store }) => store)) {
        if (part.length > 0) await place.delete(part);
      }
    },
    async deleteOwned(accountId) {
      return (await folder.deleteOwned(accountId)) + (await bucket.deleteOwned(accountId));
    },
  };
}
