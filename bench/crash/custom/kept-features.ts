import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from '#server/storage/data-folder.js';

/** Files of features by their path, each with its inode: a rewritten file has another. */
export type KeptFeatures = ReadonlyMap<string, number>;

export async function readFeatures(dataDir: string): Promise<KeptFeatures> {
  const { featuresDir } = dataFolder(dataDir);
  // A folder that is deleted meanwhile fails the whole reading.
  const found = await readdir(featuresDir, { recursive: true, withFileTypes: true }).catch(() => []);
  const kept = new Map<string, number>();
  for (const entry of found) {
    if (!/^[0-9a-f]{64}$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const at = await stat(path).catch(() => undefined);
    if (at) kept.set(path, at.ino);
  }
  return kept;
}

/** The number of existing files that were written again. */
export function countMadeAgain(before: KeptFeatures, after: KeptFeatures): number {
  return [...before].filter(([path, inode]) => after.has(path) && after.get(path) !== inode).length;
}
