// From there alone: a thread that reads a zip would load the whole engine.
import { openZip, ZipError } from '@lynceus/engine/archive';
import { type FileTree, isPassedOver, TreeError } from './file-tree.js';

/** Opens a zip. Throws `TreeError` for a file that is not a zip, or has more entries than `maxFiles`. */
export async function openZipTree(path: string, maxFiles: number): Promise<FileTree> {
  const zip = await openZip(path, { maxEntries: maxFiles }).catch(refuse);
  return {
    async *files() {
      const files = zip.files();
      for (;;) {
        const { value: file, done } = await files.next().catch(refuse);
        if (done) return;
        if (!isPassedOver(file.path)) yield file;
      }
    },
    close: () => zip.close(),
  };
}

function refuse(error: unknown): never {
  throw error instanceof ZipError ? new TreeError(error.message, { cause: error }) : error;
}
