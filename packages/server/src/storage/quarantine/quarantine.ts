import { lstat, opendir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ownerOfId } from '../blobs/owned-id.js';
import { makeFolder, syncFolder } from '../durable-folder.js';
import { folderBytes } from '../folder-bytes.js';
import { ifMissing, isMissing } from '../missing-file.js';
import { StorageError } from '../storage-error.js';
import { type StoreName, storeOfFolder } from './store-names.js';

/**
 * Files and folders that no row names, moved out of their stores instead of being deleted. Each lies at
 * `DAY/STORE/OWNER/ID`, so that one rename within the data folder records all that is known of it; its time of
 * modification stays.
 */
export interface Quarantine {
  /** On disk when it resolves. Leaves an item where it is that has a namesake of the same day here; answers how many moved. */
  move(store: StoreName, items: readonly OrphanedItem[], nowMs: number): Promise<number>;
  /** Of one store or of all, in no order. */
  list(store?: StoreName): AsyncIterable<QuarantinedItem>;
  /** Moves items back, on disk when it resolves. One whose path is taken stays; answers how many moved. */
  restore(items: readonly { readonly item: QuarantinedItem; readonly path: string }[]): Promise<number>;
  /** Bytes of an item; 0 for what is not there. */
  sizeOf(item: QuarantinedItem): Promise<number>;
  /** For good. What is not there is deleted already. */
  delete(items: readonly QuarantinedItem[]): Promise<void>;
  /**
   * For good: all that is known to belong to an account, as when it is deleted. Of items from before ids held their owner, whose
   * rows were gone too, nothing can be said; they go when their days are over. Answers how many.
   */
  deleteOwned(accountId: number): Promise<number>;
}

export interface OrphanedItem {
  readonly id: string;
  /** Absolute, of a file or a folder; in a bucket, a key. */
  readonly path: string;
  /** Null where it is not known. */
  readonly accountId: number | null;
}

export interface QuarantinedItem extends OrphanedItem {
  readonly store: StoreName;
  /** On which it was moved, as `YYYY-MM-DD` of UTC. */
  readonly day: string;
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const ownerPattern = /^(?:account-(\d{1,16})|unknown)$/;
const idPattern = /^[a-z0-9-]{8,100}(\.xmp)?$/;

/** @param dir in the same file system as the stores; it need not be there */
export function openQuarantine(dir: string): Quarantine {
  const list = async function* (only?: StoreName): AsyncIterable<QuarantinedItem> {
    for await (const day of namesIn(dir, dayPattern)) {
      for await (const folder of namesIn(join(dir, day), /^[a-z]+$/)) {
        const store = storeOfFolder(folder);
        if (store === null || (only !== undefined && store !== only)) continue;
        for await (const owner of namesIn(join(dir, day, folder), ownerPattern)) {
          const account = ownerPattern.exec(owner)?.[1];
          const accountId = account === undefined ? null : Number(account);
          const ownerDir = join(dir, day, folder, owner);
          for await (const id of namesIn(ownerDir, idPattern)) {
            yield { store, id, accountId, day, path: join(ownerDir, id) };
          }
        }
      }
    }
  };
  const deleteItems = async (items: readonly QuarantinedItem[]): Promise<void> => {
    for (const { path } of items) await rm(path, { recursive: true, force: true });
    await deleteEmpty(dir, items);
  };

  return {
    list,
    delete: deleteItems,

    async sizeOf({ path }) {
      const found = await lstat(path).catch(ifMissing(undefined));
      return found?.isDirectory() ? folderBytes(path) : (found?.size ?? 0);
    },

    async move(store, items, nowMs) {
      const storeDir = join(dir, dayOf(nowMs), store);
      const moves = items.map(({ id, path, accountId }) => ({
        from: path,
        to: join(storeDir, accountId === null ? 'unknown' : `account-${accountId}`, id),
      }));
      return moveAll(moves);
    },

    async restore(items) {
      const moved = await moveAll(items.map(({ item, path }) => ({ from: item.path, to: path })));
      await deleteEmpty(
        dir,
        items.map(({ item }) => item),
      );
      return moved;
    },

    async deleteOwned(accountId) {
      const owned = await ownedItems(list(), accountId);
      await deleteItems(owned);
      return owned.length;
    },
  };
}

/** Those that are known to belong to an account. */
export async function ownedItems(
  items: AsyncIterable<QuarantinedItem>,
  accountId: number,
): Promise<readonly QuarantinedItem[]> {
  const owned: QuarantinedItem[] = [];
  for await (const item of items) {
    if (item.accountId === accountId || ownerOfId(item.id) === accountId) owned.push(item);
  }
  return owned;
}

/** The day of UTC, by which items are filed. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** Renames what is there to where nothing is; all of it is on disk when it resolves. */
async function moveAll(moves: readonly { readonly from: string; readonly to: string }[]): Promise<number> {
  const [gained, lost] = [new Set<string>(), new Set<string>()];
  let moved = 0;
  try {
    for (const { from, to } of moves) {
      await makeDurableFolders(dirname(to));
      if (await isThere(to)) continue;
      if (!(await renameIfThere(from, to))) continue;
      moved += 1;
      gained.add(dirname(to));
      lost.add(dirname(from));
    }
  } finally {
    // The new names first: after a loss of power an item may have two names, and never none.
    for (const folder of [...gained, ...lost]) await syncFolder(folder);
  }
  return moved;
}

async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new StorageError(
      'access',
      error.code === 'EXDEV'
        ? `${from} is on another file system than ${to}, so it cannot be moved there. Keep the data folder on one file system.`
        : `${from} cannot be moved to ${to} (${error.message}).`,
      { cause: error },
    );
  }
}

/** As `makeFolder`, also where several levels are missing. */
async function makeDurableFolders(folder: string): Promise<void> {
  if (await isThere(folder)) return;
  await makeDurableFolders(dirname(folder));
  await makeFolder(folder);
}

/** Folders that these items left empty. */
async function deleteEmpty(dir: string, items: readonly QuarantinedItem[]): Promise<void> {
  for (const ownerDir of new Set(items.map(({ path }) => dirname(path)))) {
    for (let folder = ownerDir; folder.startsWith(`${dir}/`); folder = dirname(folder)) {
      const isDeleted = await rmdir(folder).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
      );
      if (!isDeleted) break;
    }
  }
}

async function* namesIn(folder: string, pattern: RegExp): AsyncIterable<string> {
  try {
    for await (const { name } of await opendir(folder)) if (pattern.test(name)) yield name;
  } catch (error) {
    // Another process may delete a folder that is empty.
    if (!isMissing(error)) throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
}
