import { link, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../durable-folder.js';

/** Where the key that takes the place of this one waits until the database is sealed with it. */
export function nextKeyPath(path: string): string {
  return `${path}.next`;
}

/**
 * Puts the key that waits in the place of the one in use, which stays beside it: older backups of the database are sealed
 * with that one. At no moment is there no key. Answers where the old one is.
 */
export async function putNextKey(path: string): Promise<string> {
  const kept = `${path}.until-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  await link(path, kept);
  await rename(nextKeyPath(path), path);
  await syncFolder(dirname(path));
  return kept;
}
