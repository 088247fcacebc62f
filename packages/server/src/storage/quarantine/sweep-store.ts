import { batchesOf } from '../../core/batches-of.js';
import type { ListedBlob } from '../blobs/blob-store.js';
import { ownerOfId } from '../blobs/owned-id.js';
import { dayOf, type OrphanedItem, type Quarantine, type QuarantinedItem } from './quarantine.js';
import type { StoreName } from './store-names.js';
import { isSuspicious, type StoreCount, type SweepGuard } from './sweep-guard.js';

/** A store of files or folders that rows name by id. */
export interface SweptStore {
  readonly name: StoreName;
  list(): AsyncIterable<ListedBlob>;
  /** Where an item lies, whether or not it is there, as the quarantine takes it. */
  placeOf(id: string): string | Promise<string>;
  /** Those of these ids that the database needs. */
  findNamed(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The same by the names that files on this machine have, without the store; `findNamed` unless given. */
  findNamedCopies?(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** The accounts of orphans, as far as they are known. */
  findOwners?(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

interface SweepStoreDeps {
  readonly quarantine: Quarantine;
  readonly guard: SweepGuard;
  readonly quarantineDays: number;
  readonly nowMs: number;
}

export interface StoreSweep {
  /** Back in the store, since rows name them. */
  readonly returned: number;
  readonly quarantined: number;
  /** Deleted, since their days in quarantine are over. */
  readonly purged: number;
  /** Not null: so many orphans that nothing was moved or purged. */
  readonly blocked: (StoreCount & { readonly sinceMs: number }) | null;
}

/** An item is written before the row that names it: a young one without a row may be about to get it. */
const orphanAgeMs = 3_600_000;
const batchSize = 300;
const dayMs = 86_400_000;

/**
 * Moves what no row names into quarantine, moves back what rows name again, and deletes what was in quarantine for its
 * days. Too many orphans are more likely the wrong database: then nothing moves and nothing is deleted until an operator
 * confirms.
 */
export async function sweepStore(store: SweptStore, deps: SweepStoreDeps): Promise<StoreSweep> {
  const { guard, nowMs } = deps;
  const returned = await returnNamed(store, deps.quarantine);
  const found = await countOrphans(store, nowMs);
  if (isSuspicious(found) && !(await guard.isConfirmed(store.name, found.orphans, nowMs))) {
    const blocked = await guard.block(store.name, found, nowMs);
    return { returned, quarantined: 0, purged: 0, blocked };
  }
  const quarantined = await quarantineOrphans(store, deps, found.orphans);
  await guard.clear(store.name);
  const purged = await purgeOld(store.name, deps);
  return { returned, quarantined, purged, blocked: null };
}

/** Moves items of the store out of quarantine that rows name again; answers how many. */
export async function returnNamed(store: SweptStore, quarantine: Quarantine): Promise<number> {
  let returned = 0;
  for await (const batch of batchesOf(quarantine.list(store.name), batchSize)) {
    const named = await store.findNamed(batch.map(({ id }) => id));
    const back: { item: QuarantinedItem; path: string }[] = [];
    for (const item of batch) if (named.has(item.id)) back.push({ item, path: await store.placeOf(item.id) });
    if (back.length > 0) returned += await quarantine.restore(back);
  }
  return returned;
}

/** Counted before anything moves, so that a sweep that would take too much takes nothing. */
async function countOrphans(store: SweptStore, nowMs: number): Promise<StoreCount> {
  let [items, orphans] = [0, 0];
  for await (const batch of batchesOf(store.list(), batchSize)) {
    items += batch.length;
    orphans += (await orphansAmong(store, batch, nowMs)).length;
  }
  return { items, orphans };
}

/** @param most as many as were counted: what the limit allowed */
async function quarantineOrphans(
  store: SweptStore,
  { quarantine, nowMs }: SweepStoreDeps,
  most: number,
): Promise<number> {
  let [moved, tried] = [0, 0];
  if (most === 0) return moved;
  for await (const batch of batchesOf(store.list(), batchSize)) {
    const ids = (await orphansAmong(store, batch, nowMs)).slice(0, most - tried);
    if (ids.length === 0) continue;
    const owners = await store.findOwners?.(ids);
    const items: OrphanedItem[] = [];
    for (const id of ids) {
      items.push({ id, path: await store.placeOf(id), accountId: ownerOfId(id) ?? owners?.get(id) ?? null });
    }
    moved += await quarantine.move(store.name, items, nowMs);
    tried += ids.length;
    if (tried >= most) break;
  }
  return moved;
}

async function orphansAmong(
  store: SweptStore,
  batch: readonly ListedBlob[],
  nowMs: number,
): Promise<string[]> {
  const old = batch.filter(({ writtenMs }) => writtenMs <= nowMs - orphanAgeMs).map(({ id }) => id);
  if (old.length === 0) return [];
  const named = await store.findNamed(old);
  return old.filter((id) => !named.has(id));
}

async function purgeOld(
  name: StoreName,
  { quarantine, quarantineDays, nowMs }: SweepStoreDeps,
): Promise<number> {
  // Of an item the day is known and not the hour: it is kept until the last of that day is old enough.
  const lastKept = dayOf(nowMs - quarantineDays * dayMs);
  const isOver = ({ day }: QuarantinedItem) => day < lastKept;
  let purged = 0;
  for await (const batch of batchesOf(quarantine.list(name), batchSize)) {
    const over = batch.filter(isOver);
    await quarantine.delete(over);
    purged += over.length;
  }
  return purged;
}
