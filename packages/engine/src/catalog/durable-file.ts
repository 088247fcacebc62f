import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes renames into a folder survive a loss of power. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Moves a complete file or folder to its final path, durably. */
export async function publish(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Writes a new file and waits until it is on disk. */
export async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  const file: FileHandle = await open(path, 'wx', 0o644);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
