import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { StorageError } from '../storage-error.js';
import type { Connection } from './connection.js';

/**
 * Writes a consistent copy of an open database, whoever else uses it, to a new file for its owner alone. The file has
 * its name only when it is complete and on disk.
 */
export function copyDatabase(connection: Connection, targetPath: string): void {
  if (existsSync(targetPath)) {
    throw new StorageError('access', `${targetPath} exists already; name a new file.`);
  }
  const partPath = `${targetPath}.part`;
  try {
    rmSync(partPath, { force: true });
    connection.run('VACUUM INTO ?', [partPath]);
    chmodSync(partPath, 0o600);
    syncPath(partPath);
    renameSync(partPath, targetPath);
    syncPath(dirname(targetPath));
  } catch (error) {
    rmSync(partPath, { force: true });
    if (error instanceof StorageError && error.code !== 'internal') throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError('access', `The backup ${targetPath} cannot be written: ${reason}`, {
      cause: error,
    });
  }
}

/** Waits until a file's bytes, or a folder's names, are on disk. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
