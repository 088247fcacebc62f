import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { DataFolder } from '../storage/data-folder.js';
import { syncPath } from '../storage/sqlite/backup.js';
import { StorageError } from '../storage/storage-error.js';
import type { Accounts } from './accounts.js';
import { makeKey } from './key.js';

export const firstAccount = 'default';

/**
 * At the first start, makes the first account and its key, and keeps the key in a file for its owner alone until it is
 * read away. The file is there before the account, so that a crash between the two loses nothing: an account that
 * exists has a key that is known to a user. Of several services that start at once on a new database one makes it. Answers the
 * key when it was made now, else null.
 */
export async function ensureFirstKey(
  accounts: Accounts,
  folder: DataFolder,
  chosenKey: string,
): Promise<string | null> {
  if ((await accounts.listAccounts()).length > 0) return null;
  const key = chosenKey || makeKey();
  writeFileSync(folder.firstKeyPath, `${key}\n`, { mode: 0o600, flush: true });
  syncPath(folder.dir);
  try {
    await accounts.createKey({ account: firstAccount, name: 'first', expiresAt: null, key, isFirst: true });
  } catch (error) {
    // Another service on the same database was first; given the same key, it is this one's as well.
    if (await accounts.authenticate(key)) return key;
    if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
    rmSync(folder.firstKeyPath);
    return null;
  }
  return key;
}

/** Where the first key still is; null when it was read away. */
export function keptFirstKeyPath(folder: DataFolder): string | null {
  return existsSync(folder.firstKeyPath) ? folder.firstKeyPath : null;
}

/** The kept first key, which is then kept no longer; null when it was read away before. */
export function readFirstKeyAway(folder: DataFolder): string | null {
  if (!existsSync(folder.firstKeyPath)) return null;
  const key = readFileSync(folder.firstKeyPath, 'utf8').trim();
  rmSync(folder.firstKeyPath);
  return key;
}
