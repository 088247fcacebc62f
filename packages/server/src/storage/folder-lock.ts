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
    const lock = tryLock(folder);
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

function tryLock(folder: DataFolder): FolderLock | null {
  const connection = openConnection(folder.lockPath, { access: 'write', wal: false, busyTimeoutMs: 0 });
  try {
    connection.run('BEGIN EXCLUSIVE', []);
    return { release: () => connection.close() };
  } catch (error) {
    connection.close();
    if (error instanceof StorageError && error.code === 'busy') return null;
    throw error;
  }
}
