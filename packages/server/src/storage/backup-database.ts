import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DataFolder } from './data-folder.js';
import { copyDatabase } from './sqlite/backup.js';
import { openConnection } from './sqlite/connection.js';
import { fileTime } from './sqlite/migrate.js';
import { StorageError } from './storage-error.js';

/** Copies the database as it is at this moment, beside a running service or without one; answers the new file. */
export function backupDatabase(folder: DataFolder, targetPath: string | null, nowMs: number): string {
  if (existsSync(folder.restoreMarkerPath)) {
    throw new StorageError(
      'locked',
      `A restore into ${folder.dir} was interrupted: finish it with restore --finish, or undo it with restore --undo.`,
    );
  }
  if (!existsSync(folder.databasePath)) {
    throw new StorageError('access', `There is no database in ${folder.dir}; is LYNCEUS_DATA_DIR right?`);
  }
  const path = targetPath ? resolve(targetPath) : join(folder.backupsDir, `lynceus-${fileTime(nowMs)}.db`);
  const connection = openConnection(folder.databasePath, {
    access: 'write',
    wal: false,
    busyTimeoutMs: 10_000,
  });
  try {
    copyDatabase(connection, path);
  } finally {
    connection.close();
  }
  return path;
}
