import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { StorageError } from '../storage-error.js';
import type { GuardFiles } from './guard-files.js';
import { type StoreName, storeNames } from './store-names.js';

/** What a sweep found in a store. */
export interface StoreCount {
  readonly items: number;
  /** Those that no row names, young ones aside. */
  readonly orphans: number;
}

/** More than so many orphans, or such a share of a store, are more likely the wrong database than leftovers. */
const maxOrphans = 100;
const maxShare = 0.1;
/** In a small store a few are a large share; up to half of it they are leftovers all the same. */
const fewOrphans = 10;

/** Whether a sweep asks before it takes these. A single orphan is always taken. */
export function isSuspicious({ items, orphans }: StoreCount): boolean {
  if (orphans <= 1) return false;
  if (orphans > maxOrphans) return true;
  if (orphans <= items * maxShare) return false;
  return orphans > fewOrphans || orphans > items / 2;
}

const Blocked = Type.Object({ items: Type.Number(), orphans: Type.Number(), sinceMs: Type.Number() });
const Confirmed = Type.Object({ orphans: Type.Number(), atMs: Type.Number() });

/** A sweep that found too much and moved nothing, since when. */
export type BlockedSweep = Static<typeof Blocked>;

/** So long a confirmation waits for a sweep: by then something else may be true. */
const confirmationMs = 24 * 3_600_000;
/** So much more may there be when the confirmed sweep runs. */
const toleranceShare = 0.1;
const toleranceOrphans = 10;

/** Which sweeps wait for an operator, and which an operator confirmed: files beside the quarantine, for commands beside a service. */
export interface SweepGuard {
  readBlocked(store: StoreName): Promise<BlockedSweep | null>;
  /** Remembers what was found; the time when it was found first stays. */
  block(store: StoreName, found: StoreCount, nowMs: number): Promise<BlockedSweep>;
  /** The next sweep of a blocked store may take as many orphans as were found. Null where none is blocked. */
  confirm(store: StoreName, nowMs: number): Promise<BlockedSweep | null>;
  /** Whether an operator confirmed about so many. */
  isConfirmed(store: StoreName, orphans: number, nowMs: number): Promise<boolean>;
  /** All that wait. */
  listBlocked(): Promise<ReadonlyMap<StoreName, BlockedSweep>>;
  /** Nothing waits any more; a confirmation is used up. */
  clear(store: StoreName): Promise<void>;
}

/** @param filesOf where it is remembered of a store: beside its quarantine */
export function createSweepGuard(filesOf: (store: StoreName) => GuardFiles): SweepGuard {
  const nameOf = (kind: 'blocked' | 'confirmed', store: StoreName) => `${kind}/${store}.json`;
  const write = (kind: 'blocked' | 'confirmed', store: StoreName, value: unknown) =>
    filesOf(store).write(nameOf(kind, store), `${JSON.stringify(value)}\n`);
  const readBlocked = (store: StoreName) => read(Blocked, filesOf(store), nameOf('blocked', store));
  return {
    readBlocked,

    async block(store, { items, orphans }, nowMs) {
      const before = await readBlocked(store);
      if (before?.items === items && before.orphans === orphans) return before;
      const blocked = { items, orphans, sinceMs: before?.sinceMs ?? nowMs };
      await write('blocked', store, blocked);
      return blocked;
    },

    async confirm(store, nowMs) {
      const blocked = await readBlocked(store);
      if (blocked) await write('confirmed', store, { orphans: blocked.orphans, atMs: nowMs });
      return blocked;
    },

    async isConfirmed(store, orphans, nowMs) {
      const confirmed = await read(Confirmed, filesOf(store), nameOf('confirmed', store));
      if (!confirmed || Math.abs(nowMs - confirmed.atMs) > confirmationMs) return false;
      const tolerance = Math.max(toleranceOrphans, confirmed.orphans * toleranceShare);
      return orphans <= confirmed.orphans + tolerance;
    },

    async listBlocked() {
      const all = new Map<StoreName, BlockedSweep>();
      for (const store of storeNames) {
        const blocked = await readBlocked(store);
        if (blocked) all.set(store, blocked);
      }
      return all;
    },

    async clear(store) {
      await filesOf(store).remove(nameOf('blocked', store));
      await filesOf(store).remove(nameOf('confirmed', store));
    },
  };
}

async function read<Schema extends TSchema>(
  schema: Schema,
  files: GuardFiles,
  name: string,
): Promise<Static<Schema> | null> {
  const text = await files.read(name);
  if (text === null) return null;
  try {
    return Value.Parse(schema, JSON.parse(text));
  } catch (error) {
    throw new StorageError(
      'damaged',
      `${files.show(name)} is damaged. Delete it; the next sweep of the store asks again.`,
      { cause: error },
    );
  }
}
