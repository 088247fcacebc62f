import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { HeldFile } from '../blobs/blob-store.js';
import type { DiskGuard } from '../disk-guard.js';
import { createHeldCopies, type HeldCopies } from './held-copies.js';

/** Files of objects on this machine. */
export interface FileCache extends Pick<HeldCopies, 'forget' | 'forgetAll' | 'giveUp' | 'keys' | 'bytes'> {
  /**
   * The file of an object, until it is released. Of many who ask at once one brings it.
   * @param key without separators; the store, a dash, and what names the object or the content in it
   * @param open its bytes; null when there is no such object
   */
  hold(key: string, open: () => Promise<AsyncIterable<Uint8Array> | null>): Promise<HeldFile | null>;
  /** Takes a file over that was written here, under the name of its object. */
  adopt(key: string, path: string): Promise<void>;
  /** A path in the same folder for a file that is not there yet. */
  newPath(): string;
}

/**
 * Opens a cache in a folder, which is emptied: what a killed service left may be cut short.
 * @param maxBytes above it only what is held stays
 * @param disk whose reserve what is brought leaves alone; left out: it has none
 */
export async function openFileCache(
  dir: string,
  maxBytes: number,
  disk: Pick<DiskGuard, 'guard'> = noReserve,
): Promise<FileCache> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const newPath = () => join(dir, randomUUID());
  const { hold, forget, forgetAll, giveUp, keys, bytes } = createHeldCopies(
    {
      pathOf: newPath,
      sizeOf: async (path) => (await stat(path)).size,
      discard: (path) => rm(path, { force: true }),
    },
    maxBytes,
  );
  return {
    newPath,
    forget,
    forgetAll,
    giveUp,
    keys,
    bytes,

    hold: (key, open) =>
      hold(key, async (path) => {
        const content = await open();
        if (content === null) return false;
        try {
          await pipeline(disk.guard(content), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
        } catch (error) {
          await rm(path, { force: true });
          throw error;
        }
        return true;
      }),

    async adopt(key, written) {
      const held = await hold(key, async (path) => {
        await rename(written, path);
        return true;
      });
      held?.release();
      // It may have been there already.
      await rm(written, { force: true });
    },
  };
}

const noReserve: Pick<DiskGuard, 'guard'> = { guard: (content) => content };
