import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { tarOfFolder, unpackFolder } from '../../storage/archive/folder-tar.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import { makeFolder, syncFolder } from '../../storage/durable-folder.js';
import { ifMissing } from '../../storage/missing-file.js';
import { versionUidPattern } from './drafts.js';
import { draftsDir, versionPath } from './version-files.js';

const maxFiles = 1000;

/**
 * Folders of versions as a bucket has them, a tar file each: to be copied there and back, and compared.
 * @param dir has a folder for each version
 */
export function createVersionTars(
  dir: string,
): Pick<BlobStore, 'list' | 'read' | 'write' | 'sizeOf' | 'placeOf'> {
  const tarOf = (uid: string) => tarOfFolder(versionPath(dir, uid));
  return {
    placeOf: (uid) => versionPath(dir, uid),

    async *list() {
      for (const id of await readdir(dir).catch(ifMissing([]))) {
        if (!versionUidPattern.test(id)) continue;
        const found = await stat(join(dir, id)).catch(ifMissing(undefined));
        const tar = await tarOf(id);
        if (found && tar) yield { id, writtenMs: found.mtimeMs, sizeBytes: tar.sizeBytes };
      }
    },

    async read(uid) {
      const tar = await tarOf(uid);
      if (tar === null) return null;
      return { sizeBytes: tar.sizeBytes, stream: Readable.from(tar.content, { objectMode: false }) };
    },

    async sizeOf(uid) {
      return (await tarOf(uid))?.sizeBytes ?? null;
    },

    async write(uid, content) {
      const folder = versionPath(dir, uid);
      // Emptied at the next start of a service: what a kill leaves is no version.
      const unfinished = draftsDir(dir);
      await mkdir(unfinished, { recursive: true, mode: 0o700 });
      const [made, replaced] = [join(unfinished, randomUUID()), join(unfinished, randomUUID())];
      let bytes = 0;
      const counted = async function* () {
        for await (const piece of content) {
          bytes += piece.byteLength;
          yield piece;
        }
      };
      try {
        await makeFolder(dir);
        await unpackFolder(counted(), made, { maxFiles, isDurable: true });
        // What was there was no whole copy.
        await rename(folder, replaced).catch(ifMissing(undefined));
        await rename(made, folder);
        await syncFolder(dir);
      } finally {
        for (const rest of [made, replaced]) await rm(rest, { recursive: true, force: true });
      }
      return bytes;
    },
  };
}
