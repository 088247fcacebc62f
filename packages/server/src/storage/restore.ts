import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataFolder, prepareDataFolder } from './data-folder.js';
import { makeFolder } from './durable-folder.js';
import { type FolderLock, lockDataFolder, lockForBackup } from './folder-lock.js';
import { compareFiles } from './identity/compare-files.js';
import { readDatabaseIdentity } from './identity/database-identity.js';
import { type FolderIdentity, readFolderIdentity, writeFolderIdentity } from './identity/folder-identity.js';
import { belongTogether, describeAgreement } from './identity/match.js';
import { finishRestore } from './restore/end-restore.js';
import { gatherIntoOneFile, sqlitePaths } from './restore/one-file.js';
import { refuseDuringRestore } from './restore/restore-marker.js';
import { beginSwap, nameAsideDir, type OnStep, removeRestoring } from './restore/swap.js';
import { syncPath } from './sqlite/backup.js';
import { openConnection } from './sqlite/connection.js';
import { lookAtSqlite } from './sqlite/look-at-sqlite.js';
import { pendingMigrations } from './sqlite/migrate.js';
import { StorageError } from './storage-error.js';
import { restoreSuspensionMs, suspendSweeps } from './sweep-suspension.js';

/** What becomes of a folder's id once a backup is its database. */
interface BackupIdentity {
  /** What the folder is to be called; null where it keeps what it has. */
  readonly identity: FolderIdentity | null;
  /** What an operator should know; null: nothing. */
  readonly warning: string | null;
}

/** Of the folder, which belongs to its new database at the same moment as that is in place. */
const identityName = 'installation.json';

export interface Restored {
  /** Where the database went that was there before; null when there was none. */
  readonly replacedPath: string | null;
  /** What an operator should know; null: nothing. */
  readonly warning: string | null;
}

/**
 * Puts a backup in the place of the database. The backup is copied and checked before anything is touched, no service
 * may run meanwhile, and what was there is kept aside. Killed at any point, it leaves the old database, the new one, or
 * a marker by which it is finished or undone.
 */
export async function restoreDatabase(
  folder: DataFolder,
  backupPath: string,
  nowMs: number,
  onStep: OnStep = () => {},
): Promise<Restored> {
  if (!existsSync(backupPath)) throw new StorageError('access', `There is no file ${backupPath}.`);
  prepareDataFolder(folder);
  const lock = await lockForRestore(folder);
  try {
    await refuseDuringRestore(folder);
    await removeRestoring(folder);
    await makeFolder(folder.restoringDir);
    const freshPath = join(folder.restoringDir, 'lynceus.db');
    await copyFile(backupPath, freshPath);
    checkDatabase(freshPath, backupPath);
    const { identity, warning } = await identityForBackup(folder, freshPath, backupPath);
    syncPath(freshPath);
    const identityPath = join(folder.restoringDir, identityName);
    if (identity !== null) await writeFolderIdentity({ identityPath }, identity);
    syncPath(folder.restoringDir);
    onStep('copied');
    gatherIntoOneFile(folder);
    onStep('gathered into one file');
    await suspendSweeps(folder, suspension(backupPath, nowMs), nowMs);
    onStep('sweeps suspended');
    const marker = await beginSwap(folder, {
      source: backupPath,
      paths: identity ? [...sqlitePaths, identityName] : sqlitePaths,
      asideDir: nameAsideDir(folder, nowMs),
      postgres: null,
      nowMs,
    });
    onStep('marker written');
    const replacedDir = await finishRestore(folder, marker, { database: null, onStep });
    return { replacedPath: replacedDir && join(replacedDir, 'lynceus.db'), warning };
  } catch (error) {
    // Once the marker is there, what is in the folder is needed.
    if (!existsSync(folder.restoreMarkerPath)) await removeRestoring(folder);
    throw error;
  } finally {
    lock.release();
  }
}

/** Keeps services, backups and other restores out. */
export async function lockForRestore(folder: DataFolder): Promise<FolderLock> {
  const lock = await lockDataFolder(folder, 1000);
  try {
    const backupLock = lockForBackup(folder);
    return {
      release() {
        backupLock.release();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Sweeps of a restored folder rest: time to notice that it was the wrong backup. */
export function suspension(source: string, nowMs: number) {
  return { untilMs: nowMs + restoreSuspensionMs, reason: `${source} was restored` };
}

/** SQLite's own full check, then that it is ours and not newer than this program. */
export function checkDatabase(path: string, shownPath: string): void {
  try {
    const connection = openConnection(path, { access: 'write', wal: false, busyTimeoutMs: 1000 });
    try {
      const verdict = connection.run('PRAGMA integrity_check(1)', []).rows[0]?.['integrity_check'];
      if (verdict !== 'ok') throw new StorageError('damaged', `${shownPath} is damaged: ${String(verdict)}`);
      const tables = connection.run("select count(*) as n from sqlite_master where type = 'table'", [])
        .rows[0];
      if (tables?.['n'] === 0) throw new StorageError('damaged', `${shownPath} is an empty database.`);
      pendingMigrations(connection);
      // The file moves alone: nothing of it may be left in a log beside it.
      connection.run('PRAGMA journal_mode = DELETE', []);
    } finally {
      connection.close();
    }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new StorageError(error.code, `Nothing was restored: ${error.message.replaceAll(path, shownPath)}`, {
      cause: error,
    });
  }
}

/**
 * Looks whether a backup may be the database of a folder. Refuses the backup of another installation than the folder's. A folder
 * without an id, or whose id was retired in the backup, gets that of the backup, unless its files are named by other rows: it
 * then gets none, and the next start explains what to do.
 * @param path of the backup, and `shown` what its operator calls it
 */
function identityForBackup(folder: DataFolder, path: string, shown: string): Promise<BackupIdentity> {
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
