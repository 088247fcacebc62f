import type { DataFolder } from './data-folder.js';
import { openConnection } from './sqlite/connection.js';
import { StorageError } from './storage-error.js';

export interface FolderLock {
  release(): void;
}

/**
 * Takes the folder for one service. The lock is an open exclusive transaction on a database of its own: the kernel
 * frees it when the process dies, however it dies, and no stale file is ever left to judge.
 */
export function lockDataFolder(folder: DataFolder, waitMs: number): FolderLock {
  try {
    const connection = openConnection(folder.lockPath, {
      access: 'write',
      wal: false,
      busyTimeoutMs: waitMs,
    });
    try {
      connection.run('BEGIN EXCLUSIVE', []);
    } catch (error) {
      connection.close();
      throw error;
    }
    return { release: () => connection.close() };
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'busy') throw error;
    throw new StorageError(
      'locked',
      `Another service runs on the data folder ${folder.dir}. Stop it first, or give this one its own LYNCEUS_DATA_DIR.`,
      { cause: error },
    );
  }
}
