import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findIdentity, hashFile } from './stamp.js';

export interface Content {
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Files of a folder by what is in them. */
export interface FilesByContent {
  /** Names, in order. */
  find(content: Content): Promise<readonly string[]>;
  /** Each once: then true. */
  take(name: string): boolean;
}

/** Sizes are read at the first search, and bytes only of a file of the size that is searched for. */
export function createFilesByContent(folder: string): FilesByContent {
  let reading: Promise<ReadonlyMap<number, readonly string[]>> | undefined;
  const readSizes = async () => {
    const sizes = new Map<number, string[]>();
    for (const name of (await readdir(folder)).sort()) {
      const found = await findIdentity(join(folder, name));
      if (found) sizes.set(found.sizeBytes, [...(sizes.get(found.sizeBytes) ?? []), name]);
    }
    return sizes;
  };
  const taken = new Set<string>();
  return {
    take(name) {
      const isFree = !taken.has(name);
      taken.add(name);
      return isFree;
    },
    async find({ sizeBytes, sha256 }) {
      reading ??= readSizes();
      const names: string[] = [];
      for (const name of (await reading).get(sizeBytes) ?? []) {
        // Another one of the same bytes may be undone, and so have another size, by now.
        const hash = await hashFile(join(folder, name)).catch(() => null);
        if (hash === sha256) names.push(name);
      }
      return names;
    },
  };
}
