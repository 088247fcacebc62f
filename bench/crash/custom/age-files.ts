import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from '#server/storage/data-folder.js';
import { confirmSweeps } from '../confirm-sweeps.js';

/** The age at which the service deletes a file that no row names. */
export const orphanAgeMs = 3_600_000;

/** Makes all files of a dead service older than that: the next start must delete those that no row names. */
export async function ageFiles(dataDir: string, spoolDir: string): Promise<void> {
  const { datasetsDir, importsDir, customModelsDir, featuresDir } = dataFolder(dataDir);
  const then = Date.now() - 2 * orphanAgeMs;
  for (const dir of [datasetsDir, importsDir, customModelsDir, featuresDir, spoolDir]) {
    const found = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const { parentPath, name } of found) await utimes(join(parentPath, name), then / 1000, then / 1000);
  }
  await confirmSweeps(dataDir, ['datasets', 'imports', 'models']);
}
