import type { HeldFile } from '../blobs/blob-store.js';

/** Copies of objects on this machine, within so many bytes: those used longest ago go first, and none that is held. */
export interface HeldCopies {
  /**
   * The copy of an object, until it is released. Of many who ask at once one makes it.
   * @param key names the object and its store
   * @param make writes the copy at the path; false when there is no such object. It leaves nothing then, or when it throws
   */
  hold(key: string, make: (path: string) => Promise<boolean>): Promise<HeldFile | null>;
  /** The object is deleted. Whoever holds its copy keeps it until it is released. */
  forget(key: string): Promise<void>;
  /** The same for all objects of these keys. */
  forgetAll(isForgotten: (key: string) => boolean): Promise<void>;
  /** Deletes so many bytes of what nobody holds, or all there is of it. Answers how many. */
  giveUp(bytes: number): Promise<number>;
  /** Of what is kept, held or not. */
  keys(): readonly string[];
  /** What is kept, held or not. */
  bytes(): number;
}

/** How copies lie on the disk. */
interface CopyPlaces {
  /** Where the copy of an object goes: one path for a key, or another each time. */
  pathOf(key: string): string;
  sizeOf(path: string): Promise<number>;
  /** Removes a copy. The path is free for the next one as soon as this was called. */
  discard(path: string): Promise<void>;
}

interface Entry {
  readonly key: string;
  readonly path: string;
  sizeBytes: number;
  holders: number;
  isForgotten: boolean;
  readonly ready: Promise<boolean>;
}

/** @param maxBytes above it only what is held stays */
export function createHeldCopies({ pathOf, sizeOf, discard }: CopyPlaces, maxBytes: number): HeldCopies {
  /** In the order of their last use. */
  const entries = new Map<string, Entry>();
  /** Of forgotten copies that are held still. */
  const leaving = new Set<string>();
  let totalBytes = 0;

  const drop = (entry: Entry): Promise<void> => {
    if (entries.get(entry.key) === entry) entries.delete(entry.key);
    leaving.delete(entry.path);
    totalBytes -= entry.sizeBytes;
    entry.sizeBytes = 0;
    return discard(entry.path);
  };
  const evictTo = async (bytes: number) => {
    for (const entry of entries.values()) {
      if (totalBytes <= bytes) return;
      if (entry.holders === 0) await drop(entry);
    }
  };
  const evict = () => evictTo(maxBytes);
  const release = (entry: Entry) => {
    entry.holders -= 1;
    if (entry.holders > 0) return;
    // A copy that stays for want of a right costs room until the next start.
    const done = entry.isForgotten ? drop(entry) : evict();
    done.catch(() => undefined);
  };
  const begin = (key: string, path: string, make: (path: string) => Promise<boolean>): Entry => {
    const fill = async () => {
      if (!(await make(path))) return false;
      const size = await sizeOf(path).catch(async (error: unknown) => {
        await discard(path);
        throw error;
      });
      entry.sizeBytes = size;
      totalBytes += size;
      return true;
    };
    const entry: Entry = {
      ...{ key, path, sizeBytes: 0, holders: 0, isForgotten: false },
      ready: Promise.resolve().then(fill),
    };
    entries.set(key, entry);
    return entry;
  };

  const forget = async (key: string): Promise<void> => {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    entry.isForgotten = true;
    if (entry.holders === 0) return drop(entry);
    leaving.add(entry.path);
  };

  return {
    bytes: () => totalBytes,
    keys: () => [...entries.keys()],
    forget,

    async giveUp(bytes) {
      const before = totalBytes;
      await evictTo(before - bytes);
      return before - totalBytes;
    },

    async hold(key, make) {
      const path = pathOf(key);
      // It is deleted, and its place is in use still.
      if (leaving.has(path)) return null;
      const entry = entries.get(key) ?? begin(key, path, make);
      entry.holders += 1;
      let isThere = false;
      try {
        isThere = await entry.ready;
      } finally {
        if (!isThere) {
          // The next one asks again.
          leaving.delete(path);
          if (entries.get(key) === entry) entries.delete(key);
        }
      }
      if (!isThere) return null;
      if (entries.get(key) === entry) {
        entries.delete(key);
        entries.set(key, entry);
      }
      await evict();
      let isReleased = false;
      return {
        path: entry.path,
        release() {
          if (!isReleased) release(entry);
          isReleased = true;
        },
      };
    },

    async forgetAll(isForgotten) {
      for (const key of [...entries.keys()]) if (isForgotten(key)) await forget(key);
    },
  };
}
