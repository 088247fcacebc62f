import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { DropFolders } from '#server/drop/drop-folders.js';

const notHere = async (): Promise<never> => {
  throw new Error('Uploads only.');
};

/** Folders that only take files. With `isDurable` they keep the promise of `finish`: on disk for good. */
export function createFolderDrop(dir: string, isDurable: boolean): DropFolders {
  let count = 0;
  return {
    find: async () => null,
    async *list() {},
    makeFolder: notHere,
    removeFolder: notHere,
    removeFile: notHere,
    rename: notHere,
    read: notHere,
    async receive(path) {
      const passing = join(dir, `.${++count}.part`);
      const file = await open(passing, 'w');
      return {
        path,
        async write(chunk) {
          await file.write(chunk);
        },
        async finish() {
          if (isDurable) await file.sync();
          await file.close();
          await rename(passing, join(dir, path.at(-1) ?? 'file'));
          if (!isDurable) return;
          const folder = await open(dir);
          await folder.sync();
          await folder.close();
        },
        cut: () => file.close(),
      };
    },
  };
}
