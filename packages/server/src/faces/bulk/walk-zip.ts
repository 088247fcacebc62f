import { openZip, ZipError, type ZippedFile } from '@lynceus/engine';
import { ServiceError } from '../../core/service-error.js';
import { type FileContent, type ImageTree, isPassedOver, maxFiles } from './image-tree.js';
import { readBounded, tooLarge } from './read-bounded.js';

/** The files in a zip. Two entries of one name are two files. */
export function openZipTree(path: string, maxImageBytes: number): ImageTree {
  return {
    async *list() {
      const zip = await openZip(path, { maxEntries: maxFiles }).catch(refuseZip);
      const files = zip.files();
      try {
        for (;;) {
          const { value: file, done } = await files.next().catch(refuseZip);
          if (done) return;
          const { path, refusal } = file;
          if (refusal !== null) yield { path, refusal };
          else if (!isPassedOver(path.split('/'))) {
            yield { path, read: () => readFile(file, maxImageBytes) };
          }
        }
      } finally {
        zip.close();
      }
    },
  };
}

async function readFile(file: ZippedFile, maxBytes: number): Promise<FileContent> {
  if (file.sizeBytes > maxBytes) return tooLarge(maxBytes);
  try {
    return await readBounded(file.read(), maxBytes);
  } catch (error) {
    return { problem: 'not-read', reason: error instanceof Error ? error.message : String(error) };
  }
}

function refuseZip(error: unknown): never {
  if (!(error instanceof ZipError)) throw error;
  throw new ServiceError('bad_request', error.message, { cause: error });
}
