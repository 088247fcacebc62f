import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { HeldFile } from '../blobs/blob-store.js';

/** Files of objects on this machine, within so many bytes: those used longest ago go first, and none that is held. */
export interface FileCache {
  /**
   * The file of an object, until it is released. Of many who ask at once one brings it.
   * @param key without separators; names the object and its store
   * @param open its bytes; null when there is no such object
   */
  hold(key: string, open: () => Promise<AsyncIterable<Uint8Array> | null>): Promise<HeldFile | null>;
  /** Takes a file over that was written here, under the name of its object. */
  adopt(key: string, path: string): Promise<void>;
  /** The object is deleted. Whoever holds its file keeps it until it is released. */
  forget(key: string): Promise<void>;
  /** The same for all objects of these keys. */
  forgetAll(isForgotten: (key: string) => boolean): Promise<void>;
  /** A path in the same folder for a file that is not there yet. */
  newPath(): string;
  /** What is kept, held or not. */
  bytes(): number;
}

interface Entry {
  readonly key: string;
  readonly path: string;
  sizeBytes: number;
  holders: number;
  isForgotten: boolean;
  readonly ready: Promise<boolean>;
}

/**
 * Opens a cache in a folder, which is emptied: what a killed service left may be cut short.
 * @param maxBytes above it only what is held stays
 */
export async function openFileCache(dir: string, maxBytes: number): Promise<FileCache> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true, mode: 0o700 });
  /** In the order of their last use. */
  const entries = new Map<string, Entry>();
  let totalBytes = 0;

  const newPath = () => join(dir, randomUUID());
  const drop = (entry: Entry): Promise<void> => {
    if (entries.get(entry.key) === entry) entries.delete(entry.key);
    totalBytes -= entry.sizeBytes;
    entry.sizeBytes = 0;
    return rm(entry.path, { force: true });
  };
  const evict = async () => {
    for (const entry of entries.values()) {
      if (totalBytes <= maxBytes) return;
      if (entry.holders === 0) await drop(entry);
    }
  };
  const release = (entry: Entry) => {
    entry.holders -= 1;
    if (entry.holders > 0) return;
    // A file that stays for want of a right costs room until the next start.
    const done = entry.isForgotten ? drop(entry) : evict();
    done.catch(() => undefined);
  };
  const keep = (key: string, path: string, fill: (entry: Entry) => Promise<boolean>): Entry => {
    const entry: Entry = {
      ...{ key, path, sizeBytes: 0, holders: 0, isForgotten: false },
      ready: Promise.resolve().then(() => fill(entry)),
    };
    entries.set(key, entry);
    return entry;
  };
  const count = async (entry: Entry) => {
    const { size } = await stat(entry.path);
    entry.sizeBytes = size;
    totalBytes += size;
  };

  const forget = async (key: string) => {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    entry.isForgotten = true;
    if (entry.holders === 0) await drop(entry);
  };

  return {
    newPath,
    bytes: () => totalBytes,

    async hold(key, open) {
      const found = entries.get(key);
      const entry =
        found ??
        keep(key, newPath(), async (made) => {
          const content = await open();
          if (content === null) return false;
          await pipeline(content, createWriteStream(made.path, { flags: 'wx', mode: 0o600 }));
          await count(made);
          return true;
        });
      entry.holders += 1;
      let isReleased = false;
      const releaseOnce = () => {
        if (!isReleased) release(entry);
        isReleased = true;
      };
      const isLast = () => entries.get(key) === entry;
      let isThere = false;
      try {
        isThere = await entry.ready;
      } finally {
        if (!isThere) {
          // The next one asks again.
          entry.isForgotten = true;
          if (isLast()) entries.delete(key);
          releaseOnce();
        }
      }
      if (!isThere) return null;
      if (isLast()) {
        entries.delete(key);
        entries.set(key, entry);
      }
      await evict();
      return { path: entry.path, release: releaseOnce };
    },

    async adopt(key, path) {
      if (entries.has(key)) return rm(path, { force: true });
      const kept = newPath();
      await rename(path, kept);
      const entry = keep(key, kept, async (made) => {
        await count(made);
        return true;
      });
      entry.holders += 1;
      try {
        await entry.ready;
      } finally {
        release(entry);
      }
    },

    forget,

    async forgetAll(isForgotten) {
      for (const key of [...entries.keys()]) if (isForgotten(key)) await forget(key);
    },
  };
}
