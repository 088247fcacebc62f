import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from '#server/storage/data-folder.js';

/** Of all files of a version; null where it has none. */
export async function digestVersion(dataDir: string, uid: string): Promise<string | null> {
  const dir = join(dataFolder(dataDir).customModelsDir, uid);
  const found = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  if (files.length === 0) return null;
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    hash.update(file.slice(dir.length));
    hash.update(await readFile(file));
  }
  return hash.digest('hex');
}
