import type { DropPath } from '../drop-folders.js';

/**
 * A size as a session was given it; `unread` where it asked, and the answer was a failure: many programs take that for a file that is
 * not there, and send all of it to what is.
 */
export type KnownSize = number | 'unread';

/** Sizes of files as a session was given them by `SIZE` and `MLST`: where it appends without an offset, its bytes begin there. */
export type KnownSizes = ReturnType<typeof createKnownSizes>;

/** Of one session; the oldest go first. */
const maxSizes = 100;

export function createKnownSizes() {
  const sizes = new Map<string, KnownSize>();
  const keyOf = (path: DropPath) => path.join('/');
  return {
    /** @param size 0 where there is no such file */
    add(path: DropPath, size: KnownSize) {
      sizes.delete(keyOf(path));
      sizes.set(keyOf(path), size);
      const [oldest] = sizes.keys();
      if (sizes.size > maxSizes && oldest !== undefined) sizes.delete(oldest);
    },
    /** Undefined where it was not asked for; an upload makes it another. */
    take(path: DropPath): KnownSize | undefined {
      const size = sizes.get(keyOf(path));
      sizes.delete(keyOf(path));
      return size;
    },
    /** Names have changed. */
    clear: () => sizes.clear(),
  };
}
