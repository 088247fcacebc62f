import { link, rename } from 'node:fs/promises';
import { syncFolder } from '../storage/durable-folder.js';
import type { JournalFolder } from './journal-folder.js';
import type { Undo } from './journal-record.js';
import { changing, findIdentity, isSameIdentity } from './stamp.js';
import { codeOf, hasNoLinks } from './tag-problem.js';

export interface Replacement {
  readonly name: string;
  /** The file that is there. */
  readonly path: string;
  /** `replaced` says how it was when its bytes were taken. */
  readonly undo: Pick<Undo, 'target' | 'after' | 'replaced'>;
  /** What takes its place, with all its bytes on the same disk. */
  readonly newPath: string;
}

/**
 * Puts a new file in the place of another, which is there whole at any time. Throws `TagProblem` where the old one is not as it was:
 * then it stays. A program that writes to the old one until shortly after the exchange gets it back.
 */
export async function replaceFile(
  journal: Pick<JournalFolder, 'folder' | 'guard' | 'endGuard'>,
  { name, path, undo, newPath }: Replacement,
): Promise<void> {
  // Times and attributes are on disk before the name is.
  await syncFolder(newPath);
  const { replaced } = undo;
  if (replaced === null) return createFile(newPath, path, journal.folder);
  const isGuarded = await journal.guard(name, path);
  const endGuard = async () => isGuarded && (await journal.endGuard(name, undo));
  try {
    const current = await findIdentity(path);
    if (current === null || !isSameIdentity(current, replaced)) throw changing();
    await rename(newPath, path);
    await syncFolder(journal.folder);
  } catch (error) {
    await endGuard();
    throw error;
  }
  if (await endGuard()) throw changing();
}

/** Where a file appeared meanwhile, it stays. */
async function createFile(newPath: string, path: string, folder: string): Promise<void> {
  try {
    await link(newPath, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw changing();
    if (!hasNoLinks(error)) throw error;
    await rename(newPath, path);
  }
  await syncFolder(folder);
}
