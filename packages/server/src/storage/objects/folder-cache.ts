import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { folderBytes } from '../folder-bytes.js';
import { ifMissing } from '../missing-file.js';
import { createHeldCopies, type HeldCopies } from './held-copies.js';

/** Folders of objects on this machine, one a key, each at a path that follows from its key. */
export interface FolderCache extends HeldCopies {
  /** Where the folder of an object is while it is held. */
  folderOf(key: string): string;
  /** Null for a path that is no folder of an object here. */
  keyOf(path: string): string | null;
  /** Takes a folder over that was written here, under the name of its object. */
  adopt(key: string, folder: string): Promise<void>;
}

const unfinished = 'unfinished';

/**
 * Opens a cache in a folder, which is emptied: what a killed service left may be cut short. A folder in it is whole: it is
 * written under another name first.
 * @param maxBytes above it only what is held stays
 */
export async function openFolderCache(dir: string, maxBytes: number): Promise<FolderCache> {
  const unfinishedDir = join(dir, unfinished);
  await rm(dir, { recursive: true, force: true });
  await mkdir(unfinishedDir, { recursive: true, mode: 0o700 });
  const newPath = () => join(unfinishedDir, randomUUID());
  const folderOf = (key: string) => join(dir, key);
  const copies = createHeldCopies(
    {
      pathOf: folderOf,
      sizeOf: folderBytes,
      async discard(path) {
        const leaving = newPath();
        // Before anything else happens, so that the path is free for a folder that is brought meanwhile.
        try {
          renameSync(path, leaving);
        } catch (error) {
          // It was deleted from outside.
          ifMissing(undefined)(error);
        }
        await rm(leaving, { recursive: true, force: true });
      },
    },
    maxBytes,
  );
  return {
    ...copies,
    folderOf,

    keyOf(path) {
      const key = basename(path);
      return dirname(path) === dir && key !== unfinished ? key : null;
    },

    hold: (key, make) =>
      copies.hold(key, async (path) => {
        const made = newPath();
        try {
          if (!(await make(made))) return false;
          await rename(made, path);
          return true;
        } finally {
          await rm(made, { recursive: true, force: true });
        }
      }),

    async adopt(key, folder) {
      const held = await copies.hold(key, async (path) => {
        await rename(folder, path);
        return true;
      });
      held?.release();
      // It may have been there already.
      await rm(folder, { recursive: true, force: true });
    },
  };
}
