import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  opendir,
  readdir,
  rename,
  rm,
  stat,
  unlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, syncFolder } from '../durable-folder.js';
import { ifMissing } from '../missing-file.js';
import { StorageError } from '../storage-error.js';
import { checkBlobId, isBlobId } from './blob-id.js';
import type { BlobStore } from './blob-store.js';

/** So many characters of an id name the folder it is in: no folder then grows without bound. */
const shardLength = 2;
const writing = 'writing';

/**
 * Blobs as files of a folder: written under a passing name, synced, renamed, and the folder synced. What a killed
 * service left half-written is removed when the store is opened, unless it is opened beside a service that may be writing.
 */
export async function openFolderBlobs(dir: string, { mayServiceBeRunning = false } = {}): Promise<BlobStore> {
  const writingDir = join(dir, writing);
  await withStorageErrors(dir, async () => {
    if (!mayServiceBeRunning) await rm(writingDir, { recursive: true, force: true });
    await mkdir(writingDir, { recursive: true, mode: 0o700 });
    await syncFolder(dir);
  });

  return {
    write: (id, content) =>
      withStorageErrors(dir, async () => {
        const path = blobPath(dir, id);
        const temporaryPath = join(writingDir, randomUUID());
        try {
          const bytes = await writeFile(temporaryPath, content);
          await makeFolder(dirname(path));
          await rename(temporaryPath, path);
          await syncFolder(dirname(path));
          return bytes;
        } catch (error) {
          await rm(temporaryPath, { force: true });
          throw error;
        }
      }),

    read: (id) =>
      withStorageErrors(dir, async () => {
        // Nothing but a file of ours: a link that was put there is not followed.
        const file = await openIfThere(blobPath(dir, id), constants.O_RDONLY | constants.O_NOFOLLOW);
        if (file === null) return null;
        const { size } = await file.stat();
        return { sizeBytes: size, stream: file.createReadStream() };
      }),

    readPart: (id, { fromBytes, toBytes }) =>
      withStorageErrors(dir, async () => {
        const file = await openIfThere(blobPath(dir, id), constants.O_RDONLY | constants.O_NOFOLLOW);
        return file?.createReadStream({ start: fromBytes, end: toBytes - 1 }) ?? null;
      }),

    hold: (id) =>
      withStorageErrors(dir, async () => {
        const path = blobPath(dir, id);
        const found = await lstat(path).catch(ifMissing(undefined));
        return found?.isFile() ? { path, release: () => undefined } : null;
      }),

    sizeOf: (id) =>
      withStorageErrors(dir, async () => {
        const found = await lstat(blobPath(dir, id)).catch(ifMissing(undefined));
        return found?.isFile() ? found.size : null;
      }),

    placeOf: (id) => blobPath(dir, id),

    remove: (id) => withStorageErrors(dir, () => unlink(blobPath(dir, id)).catch(ifMissing(undefined))),

    list: () => listBlobs(dir),
  };
}

/** Where a blob of a folder lies. */
export function blobPath(dir: string, id: string): string {
  checkBlobId(id);
  return join(dir, id.slice(0, shardLength), id);
}

async function writeFile(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    let bytes = 0;
    for await (const chunk of content) {
      await file.writeFile(chunk);
      bytes += chunk.byteLength;
    }
    await file.sync();
    return bytes;
  } finally {
    await file.close();
  }
}

async function* listBlobs(dir: string): ReturnType<BlobStore['list']> {
  for (const shard of await readdir(dir)) {
    if (shard.length !== shardLength) continue;
    for await (const { name: id } of await opendir(join(dir, shard))) {
      const found = await stat(join(dir, shard, id)).catch(ifMissing(undefined));
      if (found && isBlobId(id)) yield { id, writtenMs: found.mtimeMs, sizeBytes: found.size };
    }
  }
}

async function openIfThere(path: string, flags: number): Promise<FileHandle | null> {
  return (await open(path, flags).catch(ifMissing(undefined))) ?? null;
}

/** Errors of the file system in the words of storage. */
async function withStorageErrors<T>(dir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error instanceof StorageError) throw error;
    if (error.code === 'ENOSPC' || error.code === 'EDQUOT') {
      throw new StorageError('full', `The disk under ${dir} is full; make room.`, { cause: error });
    }
    if (!('syscall' in error)) throw error;
    throw new StorageError('access', `Blobs in ${dir} cannot be written or read (${error.message}).`, {
      cause: error,
    });
  }
}
