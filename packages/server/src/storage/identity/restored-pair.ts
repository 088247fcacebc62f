import type { DataFolder } from '../data-folder.js';
import { lookAtSqlite } from '../sqlite/look-at-sqlite.js';
import { StorageError } from '../storage-error.js';
import { compareFiles } from './compare-files.js';
import { readDatabaseIdentity } from './database-identity.js';
import { type FolderIdentity, readFolderIdentity } from './folder-identity.js';
import { belongTogether, describeAgreement } from './match.js';

/** What becomes of a folder's id once a backup is its database. */
export interface BackupIdentity {
  /** What the folder is to be called; null where it keeps what it has. */
  readonly identity: FolderIdentity | null;
  /** What an operator should know; null: nothing. */
  readonly warning: string | null;
}

/**
 * Looks whether a backup may be the database of a folder. Refuses the backup of another installation than the folder's. A folder
 * without an id, or whose id was retired in the backup, gets that of the backup, unless its files are named by other rows: it
 * then gets none, and the next start explains what to do.
 * @param path of the backup, and `shown` what its operator calls it
 */
export function identityForBackup(folder: DataFolder, path: string, shown: string): Promise<BackupIdentity> {
  return lookAtSqlite(path)(async (query, applied) => {
    const own = await readFolderIdentity(folder);
    const backup = await readDatabaseIdentity(query, applied);
    const keepsOwn = { identity: null, warning: null };
    if (backup.installation === null) return keepsOwn;
    if (own !== null && own.generation > 0) {
      if (own.installation !== backup.installation) throw ofAnother(folder, shown, own, backup.installation);
      const ownRow = backup.folders.find(({ uid }) => uid === own.folder);
      // One that was retired is refused at the next start.
      if (!ownRow || ownRow.retired_at === null) return keepsOwn;
    }
    const row = backup.folders.findLast(({ retired_at }) => retired_at === null);
    if (!row) return keepsOwn;
    const comparison = await compareFiles(query, applied, folder);
    if (comparison.files > 0 && !belongTogether(comparison, true)) {
      return {
        identity: null,
        warning: `The files in ${folder.dir} do not match this database: ${describeAgreement(comparison)}. The next start is refused until you put the right files there, or confirm with: npm run -s lynceus -- adopt --yes`,
      };
    }
    const { uid, generation } = row;
    return { identity: { installation: backup.installation, folder: uid, generation }, warning: null };
  });
}

function ofAnother(
  { dir }: Pick<DataFolder, 'dir'>,
  shown: string,
  { installation }: FolderIdentity,
  other: string,
): StorageError {
  return new StorageError(
    'mismatch',
    `Nothing was restored: ${shown} is a backup of the installation ${other}, and the data folder ${dir} is ` +
      `of the installation ${installation}. Restore it into an empty folder (LYNCEUS_DATA_DIR).`,
  );
}
