import type { DropEntry, DropFolders, DropPath } from '../drop-folders.js';

/** A folder that is open for listing: read a few entries at a time, however many it has. */
export interface FolderListing {
  readonly kind: 'folder';
  readonly path: DropPath;
  /** The next entries; none at the end. */
  next(): Promise<readonly DropEntry[]>;
  close(): Promise<void>;
}

/** Of one answer: with names of 255 bytes, twice each, they fit into a packet. */
const maxEntries = 100;

export function openListing(folders: DropFolders, path: DropPath): FolderListing {
  const entries = folders.list(path)[Symbol.asyncIterator]();
  let isOver = false;
  return {
    kind: 'folder',
    path,
    async next() {
      const some: DropEntry[] = [];
      while (!isOver && some.length < maxEntries) {
        const { done, value } = await entries.next();
        if (done) isOver = true;
        else some.push(value);
      }
      return some;
    },
    async close() {
      isOver = true;
      await entries.return?.();
    },
  };
}
