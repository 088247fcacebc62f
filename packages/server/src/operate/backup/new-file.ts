import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../storage/durable-folder.js';
import { StorageError } from '../../storage/storage-error.js';

/** Writes a new file for its owner alone, which has its name only when it is whole and on disk. */
export async function writeNewFile(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  leastBytes: number,
): Promise<void> {
  if (await stat(path).catch(() => undefined)) {
    throw new StorageError('access', `${path} exists already; name a new file.`);
  }
  const partPath = `${path}.part`;
  try {
    await requireFreeSpace(path, leastBytes);
    await rm(partPath, { force: true });
    const file = await open(partPath, 'wx', 0o600);
    try {
      for await (const piece of pieces) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partPath, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(partPath, { force: true });
    if (error instanceof StorageError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw full(path, error);
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError('access', `The backup ${path} cannot be written: ${reason}`, { cause: error });
  }
}

async function requireFreeSpace(path: string, leastBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path));
  if (bavail * bsize < leastBytes) throw full(path);
}

function full(path: string, cause?: unknown): StorageError {
  return new StorageError(
    'full',
    `There is too little room for ${path}: make room, or write the backup to another disk.`,
    { cause },
  );
}
