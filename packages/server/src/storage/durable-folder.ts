import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes a folder private to the service; it is on disk when this resolves. Its parent is created where it is missing. */
export async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined) await syncFolder(dirname(folder));
}

/** Syncs a folder, so that the names in it survive a loss of power; or a file. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a file that another program wrote private to the service (mode 0600), and syncs it to disk. */
export async function settleFile(path: string): Promise<void> {
  await chmod(path, 0o600);
  await syncFolder(path);
}

/** Replaces a small file, for its owner alone: whole or not at all, and on disk when this resolves. */
export async function writeDurably(path: string, content: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
