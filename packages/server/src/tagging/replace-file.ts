import { constants, lstatSync, renameSync } from 'node:fs';
import { copyFile, link, stat, utimes } from 'node:fs/promises';
import { syncFolder } from '../storage/durable-folder.js';
import type { JournalFolder } from './journal-folder.js';
import type { Undo } from './journal-record.js';
import { changing, identityOf, isSameIdentity } from './stamp.js';
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
 * then it stays. A program that writes to the old one gets it back while the journal holds its guard.
 */
export async function replaceFile(
  journal: Pick<JournalFolder, 'folder' | 'guard' | 'endGuard' | 'holdGuard'>,
  { name, path, undo, newPath }: Replacement,
): Promise<void> {
  // Times and attributes are on disk before the name is.
  await syncFolder(newPath);
  const { replaced } = undo;
  if (replaced === null) return createFile(newPath, path, journal.folder);
  const isGuarded = await journal.guard(name, path);
  try {
    await syncFolder(journal.folder);
    // One directly after the other: what another program renames to this name in between is lost.
    const current = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (!current?.isFile() || !isSameIdentity(identityOf(current), replaced)) throw changing();
    renameSync(newPath, path);
    await syncFolder(journal.folder);
  } catch (error) {
    if (isGuarded) await journal.endGuard(name, undo);
    throw error;
  }
  if (isGuarded && (await journal.holdGuard(name, undo))) throw changing();
}

/** Where a file appeared meanwhile, it stays. */
async function createFile(newPath: string, path: string, folder: string): Promise<void> {
  try {
    await link(newPath, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw changing();
    if (!hasNoLinks(error)) throw error;
    await copyFile(newPath, path, constants.COPYFILE_EXCL).catch((failure: unknown) => {
      throw codeOf(failure) === 'EEXIST' ? changing() : failure;
    });
    const { atime, mtime } = await stat(newPath);
    await utimes(path, atime, mtime);
    await syncFolder(path);
  }
  await syncFolder(folder);
}
