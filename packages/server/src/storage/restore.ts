import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type DataFolder, prepareDataFolder } from './data-folder.js';
import { lockDataFolder } from './folder-lock.js';
import { claimFolder, identityForBackup } from './identity/restored-pair.js';
import { syncPath } from './sqlite/backup.js';
import { openConnection } from './sqlite/connection.js';
import { fileTime, pendingMigrations } from './sqlite/migrate.js';
import { StorageError } from './storage-error.js';

export interface Restored {
  /** Where the database went that was there before; null when there was none. */
  readonly replacedPath: string | null;
}

/**
 * Puts a backup in the place of the database. The backup is copied and checked before anything is touched, no service
 * may run meanwhile, and what was there is kept aside.
 */
export async function restoreDatabase(
  folder: DataFolder,
  backupPath: string,
  nowMs: number,
): Promise<Restored> {
  if (!existsSync(backupPath)) throw new StorageError('access', `There is no file ${backupPath}.`);
  prepareDataFolder(folder);
  const lock = await lockDataFolder(folder, 1000);
  const freshPath = join(folder.dir, 'restoring.db');
  try {
    removeDatabase(freshPath);
    copyFileSync(backupPath, freshPath);
    checkDatabase(freshPath, backupPath);
    const identity = await identityForBackup(folder, freshPath, backupPath);
    syncPath(freshPath);
    const replacedPath = setAside(folder, nowMs);
    renameSync(freshPath, folder.databasePath);
    syncPath(folder.dir);
    await claimFolder(folder, identity);
    return { replacedPath };
  } finally {
    removeDatabase(freshPath);
    lock.release();
  }
}

/** SQLite's own full check, then that it is ours and not newer than this program. */
function checkDatabase(path: string, shownPath: string): void {
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

/** The log and its index belong to the database beside them: they move together, or the copy would lose commits. */
function setAside(folder: DataFolder, nowMs: number): string | null {
  const aside = join(folder.backupsDir, `replaced-${fileTime(nowMs)}.db`);
  let replaced = false;
  for (const suffix of ['-wal', '-shm', '']) {
    const from = folder.databasePath + suffix;
    if (!existsSync(from)) continue;
    renameSync(from, aside + suffix);
    replaced = true;
  }
  return replaced ? aside : null;
}

function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}
