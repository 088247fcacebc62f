import { type TagFolderOptions, tagFolder } from './tag-folder.js';
import type { TagDeps } from './tag-image.js';
import type { Folder } from './walk-folders.js';

/** Each holds a lock, which is an open file: a process often has 1024 of them. */
const usualMaxOpen = 32;

/**
 * Tags folders one after the other, each without waiting for the guards of those before it.
 * @param maxOpen folders whose guards may run out at the same time; above it, the next one waits
 */
export function createFolderTagging(deps: TagDeps, maxOpen = usualMaxOpen) {
  const open = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  const throwFailure = () => {
    if (failures.length > 0) throw failures.shift();
  };
  return {
    /** Resolves when the images of the folder are done. Throws as `tagFolder`. */
    async tag(folder: Pick<Folder, 'path' | 'names'>, options: TagFolderOptions) {
      const { path } = folder;
      // While it is watched, a folder comes again: its journal is still taken.
      await open.get(path);
      while (open.size >= maxOpen) await Promise.race(open.values());
      const end = await tagFolder(deps, folder, options);
      const ended = end()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => open.delete(path));
      open.set(path, ended);
    },
    /** Waits for the guards of all folders. Throws what their ends threw. */
    async end() {
      await Promise.all(open.values());
      throwFailure();
    },
  };
}
