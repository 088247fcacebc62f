import type { DataFolder } from '../data-folder.js';
import { lookAtSqlite } from '../sqlite/look-at-sqlite.js';
import { StorageError } from '../storage-error.js';
import { readDatabaseIdentity } from './database-identity.js';
import { type FolderIdentity, readFolderIdentity } from './folder-identity.js';

/**
 * What a folder is to be called once a backup is its database: null where it keeps what it has. Refuses the backup of another
 * installation than the folder's.
 * @param path of the backup, and `shown` what its operator calls it
 */
export async function identityForBackup(
  folder: DataFolder,
  path: string,
  shown: string,
): Promise<FolderIdentity | null> {
  const own = await readFolderIdentity(folder);
  const backup = await lookAtSqlite(path)(readDatabaseIdentity);
  if (backup.installation === null) return null;
  if (own !== null && own.generation > 0) {
    if (own.installation === backup.installation) return null;
    throw new StorageError(
      'mismatch',
      `Nothing was restored: ${shown} is a backup of the installation ${backup.installation}, and the data folder ${folder.dir} is ` +
        `of the installation ${own.installation}. Restore it into an empty folder (LYNCEUS_DATA_DIR).`,
    );
  }
  const row = backup.folders.findLast(({ retired_at }) => retired_at === null);
  return row ? { installation: backup.installation, folder: row.uid, generation: row.generation } : null;
}
