import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from '../storage/data-folder.js';
import { makeFolder } from '../storage/durable-folder.js';
import type { RestoreMarker } from '../storage/restore/restore-marker.js';
import { fileTime } from '../storage/sqlite/migrate.js';
import { writeNewFile } from './new-file.js';
import type { PostgresPrograms } from './postgres-programs.js';
import { dumpWords } from './postgres-snapshot.js';

/**
 * Dumps the database as it is into a file that no restore and no undo deletes: before the first change into the aside folder,
 * afterwards, when another service may have filled what was cleared, into a new file of `backups/`.
 * @returns where it is, below the data folder
 */
export async function keepPresent(
  folder: Pick<DataFolder, 'dir' | 'backupsDir'>,
  { asideDir, postgres }: RestoreMarker,
  programs: PostgresPrograms,
): Promise<string> {
  const path = postgres?.loading ? freePath(folder) : `${asideDir}/lynceus.dump`;
  const target = join(folder.dir, path);
  await makeFolder(join(target, '..'));
  // Of an attempt that changed nothing.
  await rm(target, { force: true });
  await writeNewFile(target, programs.output('pg_dump', dumpWords), 0);
  return path;
}

function freePath({ dir }: Pick<DataFolder, 'dir'>): string {
  for (let count = 1; ; count += 1) {
    const name = `database-${fileTime(Date.now())}${count === 1 ? '' : `-${count}`}.dump`;
    if (!existsSync(join(dir, 'backups', name))) return `backups/${name}`;
  }
}
