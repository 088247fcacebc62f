import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { DataFolder } from '../data-folder.js';
import { tryBackupLock } from '../folder-lock.js';
import { removeRestoring } from './swap.js';

/** Removes what a killed backup or restore left, unless one is at work. The caller holds the folder. */
export async function removeLeftovers(
  folder: Pick<DataFolder, 'dir' | 'restoringDir' | 'backupStagingDir' | 'backupLockPath'>,
): Promise<void> {
  if (!existsSync(folder.restoringDir) && !existsSync(folder.backupStagingDir)) return;
  const lock = tryBackupLock(folder);
  if (!lock) return;
  try {
    await removeRestoring(folder);
    await rm(folder.backupStagingDir, { recursive: true, force: true });
  } finally {
    lock.release();
  }
}
