import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataFolder, prepareDataFolder } from './data-folder.js';
import { makeFolder } from './durable-folder.js';
import { type FolderLock, lockDataFolder, lockForBackup } from './folder-lock.js';
import { writeFolderIdentity } from './identity/folder-identity.js';
import { identityForBackup } from './identity/restored-pair.js';
import { finishRestore } from './restore/end-restore.js';
import { gatherIntoOneFile, sqlitePaths } from './restore/one-file.js';
import { refuseDuringRestore } from './restore/restore-marker.js';
import { beginSwap, nameAsideDir, type OnStep, removeRestoring } from './restore/swap.js';
import { syncPath } from './sqlite/backup.js';
import { openConnection } from './sqlite/connection.js';
import { pendingMigrations } from './sqlite/migrate.js';
import { StorageError } from './storage-error.js';
import { restoreSuspensionMs, suspendSweeps } from './sweep-suspension.js';

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
