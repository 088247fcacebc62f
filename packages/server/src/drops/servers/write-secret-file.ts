import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../storage/durable-folder.js';

/** Replaces a file that only the service's user can read; durable when it resolves. */
export async function writeSecretFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // An existing file, left by a killed service or by another user, would keep its own permissions.
  await rm(`${path}.new`, { force: true });
  const file = await open(`${path}.new`, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  await syncFolder(folder);
}
