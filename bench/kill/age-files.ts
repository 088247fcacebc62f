import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from '#server/storage/data-folder.js';
import { openSweepGuard } from '#server/storage/quarantine/open-quarantine.js';
import type { StoreName } from '#server/storage/quarantine/store-names.js';

/** The age at which the service deletes a file that no row names. */
export const orphanAgeMs = 3_600_000;

/** Makes files of a dead service older than that: the next start must delete those that no row names. */
export async function ageFiles(
  dirs: readonly string[],
  isAged: (name: string) => boolean = () => true,
): Promise<void> {
  const then = (Date.now() - 2 * orphanAgeMs) / 1000;
  for (const dir of dirs) {
    const found = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const { parentPath, name } of found)
      if (isAged(name)) await utimes(join(parentPath, name), then, then);
  }
}

/** As an operator does: in a small store, the orphans of a kill may exceed the share that a sweep deletes by itself. */
export async function confirmSweeps(dataDir: string, stores: readonly StoreName[]): Promise<void> {
  const guard = openSweepGuard(dataFolder(dataDir), null);
  for (const store of stores) {
    await guard.block(store, { orphans: 1000, items: 1000 }, Date.now());
    await guard.confirm(store, Date.now());
  }
}
