import { constants } from 'node:fs';
import { lstat, mkdir, opendir, open as openFile, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, syncFolder } from '../../storage/durable-folder.js';
import { ifMissing } from '../../storage/missing-file.js';
import type { FileBytes } from './file-bytes.js';
import { createFreeSpaceCheck } from './free-space.js';
import { withStorageErrors } from './with-storage-errors.js';

/** The bytes of drops' files in the data folder. */
export interface FolderFileBytes extends FileBytes {
  /** Where they lie; there may be nothing. Throws where a link was laid: nothing is read or written through one. */
  pathOf(id: string): Promise<string>;
  /** On disk for good when it resolves, whoever wrote it. */
  sync(id: string): Promise<void>;
  /** All of them, in no order. */
  list(): AsyncIterable<{ readonly id: string; readonly writtenMs: number }>;
}

/** So many characters of an id name the folder it is in: no folder then grows without bound. */
const shardLength = 2;
const idPattern = /^[a-z0-9-]{8,100}(\.xmp)?$/;

interface FolderFileBytesOptions {
  /** Room on the disk that drops leave to others. */
  readonly reserveBytes: number;
  /** Whether a service may be at work on them. */
  readonly mayServiceBeRunning?: boolean;
}

export async function openFolderFileBytes(
  dir: string,
  { reserveBytes, mayServiceBeRunning = false }: FolderFileBytesOptions,
): Promise<FolderFileBytes> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (!mayServiceBeRunning) await removeWorkFolders(dir);

  const pathOf = (id: string) => fileBytesPath(dir, id);
  /** Whether a link lies where a file of the service, or its folder, should be. */
  const isLinked = async (id: string): Promise<boolean> => {
    const path = pathOf(id);
    const found = await Promise.all(
      [lstat(dirname(path)), lstat(path)].map((each) => each.catch(ifMissing(undefined))),
    );
    return found.some((each) => each?.isSymbolicLink());
  };
  const checkedPathOf = async (id: string): Promise<string> => {
    if (await isLinked(id)) throw new Error(`a link is at the path of a drop's file: remove ${pathOf(id)}`);
    return pathOf(id);
  };
  const open: FileBytes['open'] = (id, offsetBytes) =>
    withStorageErrors(async () => {
      const checkFreeSpace = createFreeSpaceCheck(dir, reserveBytes);
      await checkFreeSpace();
      const path = await checkedPathOf(id);
      await makeFolder(dirname(path));
      const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
      const file = await openFile(path, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
      await file.truncate(offsetBytes);
      // Its name is put on disk while its bytes still come.
      const named = syncFolder(dirname(path));
      named.catch(() => undefined);
      let at = offsetBytes;
      let sizeBytes = offsetBytes;
      return {
        write: (piece) =>
          withStorageErrors(async () => {
            await checkFreeSpace(piece.byteLength);
            for (let done = 0; done < piece.byteLength; ) {
              const { bytesWritten } = await file.write(piece, done, piece.byteLength - done, at);
              done += bytesWritten;
              at += bytesWritten;
            }
            sizeBytes += piece.byteLength;
          }),
        sync: () =>
          withStorageErrors(async () => {
            await Promise.all([file.sync(), named]);
          }),
        keep: async () => sizeBytes,
        async close() {
          await named.catch(() => undefined);
          await file.close();
        },
      };
    });

  return {
    pathOf: checkedPathOf,
    open,

    async put(id, content) {
      const file = await open(id, 0);
      try {
        for await (const piece of content) await file.write(piece);
        await file.sync();
      } finally {
        await file.close();
      }
    },

    async hold(id) {
      const path = await checkedPathOf(id);
      const found = await lstat(path).catch(ifMissing(undefined));
      return found?.isFile() ? { path, release: () => undefined } : null;
    },

    // It is written where it is kept.
    async draft(id) {
      const path = await checkedPathOf(id);
      await makeFolder(dirname(path));
      const kept = new Set<string>();
      return {
        path,
        async keep(_id, written) {
          kept.add(written);
        },
        async discard() {
          if (!kept.has(path)) await rm(path, { force: true });
        },
      };
    },

    async sizeOf(id) {
      if (await isLinked(id)) return 0;
      const found = await lstat(pathOf(id)).catch(ifMissing(undefined));
      return found?.isFile() ? found.size : 0;
    },

    async read(id, offsetBytes) {
      if (await isLinked(id)) return null;
      const file = await openFile(pathOf(id), constants.O_RDONLY | constants.O_NOFOLLOW).catch(
        ifMissing(undefined),
      );
      return file?.createReadStream({ start: offsetBytes }) ?? null;
    },

    async sync(id) {
      const path = await checkedPathOf(id);
      const file = await openFile(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolder(dirname(path));
    },

    async remove(id) {
      // Of a folder that is a link, what is behind it is not ours.
      const folder = await lstat(dirname(pathOf(id))).catch(ifMissing(undefined));
      if (folder?.isDirectory()) await rm(pathOf(id), { force: true });
    },

    async *list() {
      for (const shard of await readdir(dir, { withFileTypes: true })) {
        if (shard.name.length !== shardLength || !shard.isDirectory()) continue;
        for await (const { name: id } of await opendir(join(dir, shard.name))) {
          const found = await lstat(join(dir, shard.name, id)).catch(ifMissing(undefined));
          if (found?.isFile() && idPattern.test(id)) yield { id, writtenMs: found.mtimeMs };
        }
      }
    },
  };
}

/** Where the bytes of a file lie. */
export function fileBytesPath(dir: string, id: string): string {
  if (!idPattern.test(id)) throw new TypeError('this is no id of a file');
  return join(dir, id.slice(0, shardLength), id);
}

/** What a service that died was writing keywords in. */
async function removeWorkFolders(dir: string): Promise<void> {
  for (const shard of await readdir(dir, { withFileTypes: true })) {
    if (!shard.isDirectory()) continue;
    for (const inner of await readdir(join(dir, shard.name), { withFileTypes: true })) {
      if (inner.isDirectory()) await rm(join(dir, shard.name, inner.name), { recursive: true, force: true });
    }
  }
}
