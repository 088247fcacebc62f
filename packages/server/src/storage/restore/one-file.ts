import { existsSync } from 'node:fs';
import type { DataFolder } from '../data-folder.js';
import { openConnection } from '../sqlite/connection.js';
import { StorageError } from '../storage-error.js';

/** The database and what may lie beside it, below the data folder. */
export const sqlitePaths: readonly string[] = ['', '-wal', '-shm', '-journal'].map(
  (suffix) => `lynceus.db${suffix}`,
);

/**
 * Brings the commits in the log into the database file, so that it can be moved alone. A database that is too damaged for
 * it is moved as it is, together with its log.
 */
export function gatherIntoOneFile(folder: Pick<DataFolder, 'databasePath'>): void {
  if (!existsSync(folder.databasePath)) return;
  try {
    const connection = openConnection(folder.databasePath, {
      access: 'write',
      wal: false,
      busyTimeoutMs: 10_000,
    });
    try {
      const [row] = connection.run('PRAGMA wal_checkpoint(TRUNCATE)', []).rows;
      if (row?.['busy'] === 1) throw inUse(folder);
      // Fails while another process has it open; the log is empty then, and moves along.
      connection.run('PRAGMA journal_mode = DELETE', []);
    } finally {
      connection.close();
    }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.code === 'locked') throw error;
  }
}

function inUse({ databasePath }: Pick<DataFolder, 'databasePath'>): StorageError {
  return new StorageError(
    'locked',
    `Another command works on ${databasePath}. Nothing was restored: try again when it has ended.`,
  );
}
