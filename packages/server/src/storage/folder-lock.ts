import { setTimeout } from 'node:timers/promises';
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
export async function lockDataFolder(folder: DataFolder, waitMs: number): Promise<FolderLock> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const lock = tryLockFile(folder.lockPath);
    if (lock) return lock;
    if (Date.now() >= deadline) break;
    await setTimeout(pollMs);
  }
  throw new StorageError(
    'locked',
    `Another service runs on the data folder ${folder.dir}. Stop it first, or give this one its own LYNCEUS_DATA_DIR.`,
  );
}

const pollMs = 50;

/** Null while another backup or restore works on the folder. */
export function tryBackupLock(folder: Pick<DataFolder, 'backupLockPath'>): FolderLock | null {
  return tryLockFile(folder.backupLockPath);
}

export function lockForBackup(folder: Pick<DataFolder, 'dir' | 'backupLockPath'>): FolderLock {
  const lock = tryBackupLock(folder);
  if (lock) return lock;
  throw new StorageError(
    'locked',
    `Another backup or restore works on the data folder ${folder.dir}. Wait until it has ended.`,
  );
}

/** The lock of a file of its own, which is made; null while another process has it. */
export function tryLockFile(path: string): FolderLock | null {
  const connection = openConnection(path, { access: 'write', wal: false, busyTimeoutMs: 0 });
  try {
    connection.run('BEGIN EXCLUSIVE', []);
    return { release: () => connection.close() };
  } catch (error) {
    connection.close();
    if (error instanceof StorageError && error.code === 'busy') return null;
    throw error;
  }
}
