import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes a folder for us alone; it is on disk before anything is put in it. Its parent is there, or is made with it. */
export async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined) await syncFolder(dirname(folder));
}

/** So that the names in it outlast a loss of power. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
