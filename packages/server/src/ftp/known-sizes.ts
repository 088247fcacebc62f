import type { DropPath } from '../drops/drop-folders.js';

/** Sizes of files as a session was given them by `SIZE` and `MLST`: where it appends without an offset, its bytes begin there. */
export interface KnownSizes {
  /** @param sizeBytes 0 where there is no such file */
  add(path: DropPath, sizeBytes: number): void;
  /** Undefined where it was not asked for; an upload makes it another. */
  take(path: DropPath): number | undefined;
  /** Names have changed. */
  clear(): void;
}

/** Of one session; the oldest go first. */
const maxSizes = 100;

export function createKnownSizes(): KnownSizes {
  const sizes = new Map<string, number>();
  const keyOf = (path: DropPath) => path.join('/');
  return {
    add(path, sizeBytes) {
      sizes.delete(keyOf(path));
      sizes.set(keyOf(path), sizeBytes);
      const [oldest] = sizes.keys();
      if (sizes.size > maxSizes && oldest !== undefined) sizes.delete(oldest);
    },
    take(path) {
      const sizeBytes = sizes.get(keyOf(path));
      sizes.delete(keyOf(path));
      return sizeBytes;
    },
    clear: () => sizes.clear(),
  };
}
