import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, mkdtemp, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../storage/durable-folder.js';
import { type FolderLock, tryLockFile } from '../storage/folder-lock.js';
import { readRecord, type Undo } from './journal-record.js';
import { nameHash } from './name-hash.js';
import { findIdentity, isAsStamped, isSameIdentity } from './stamp.js';
import { codeOf, hasNoLinks, ignoreMissing, TagProblem } from './tag-problem.js';

/** In each folder with images that were looked at. Hidden, so that programs that show images pass it over. */
export const journalName = '.lynceus-tag';

/** The journal of one folder, which one command has at a time. */
export interface JournalFolder {
  readonly folder: string;
  readonly path: string;
  /** Of the image or the sidecar of this name. */
  recordPath(name: string): string;
  /** Where the record of a file is written before the file is replaced. */
  nextPath(name: string): string;
  /** After the file was replaced: its next record becomes the record. */
  commit(name: string): Promise<void>;
  /** The file was not replaced. */
  discardNext(name: string): Promise<void>;
  /** Works on sidecars one after the other: several images may share one. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Paths of all records. */
  records(): Promise<string[]>;
  /** A new folder for temporary files on the same disk; what a killed command leaves, the next one removes. */
  makeWorkFolder(): Promise<string>;
  /** A second name of a file that is about to be replaced; false where the file system has no such names. */
  guard(name: string, path: string): Promise<boolean>;
  /** It was not replaced. */
  endGuard(name: string, undo: GuardedUndo): Promise<void>;
  /**
   * After it was replaced: the second name stays, as a program that has the file open still writes to it. Where one did so
   * already, the file is restored: then true.
   */
  holdGuard(name: string, undo: GuardedUndo): Promise<boolean>;
  /** Ends those that were held for so long; answers names of the files that were restored, as another program wrote to them. */
  endGuards(heldMs: number): Promise<readonly string[]>;
  /** How long it takes until all were held for so long. */
  guardsEndInMs(heldMs: number): number;
  close(): void;
}

type GuardedUndo = Pick<Undo, 'target' | 'after' | 'replaced'>;

const lockName = 'lock.db';
const recordEnd = '.undo';
const nextEnd = '.next';
const guardEnd = '.guard';
const leftOverPattern = /^work-|\.new$/;

/**
 * Takes the journal of a folder, making it where there is none, and finishes or removes what a killed command left behind. Null
 * while another command has it. The lock ends with the process, however that ends.
 * @param check throws where the journal is not to be used; for tests, as disks without rights of their own cannot be mounted there
 */
export async function openJournal(folder: string, check = checkOwn): Promise<JournalFolder | null> {
  const path = join(folder, journalName);
  const isMade = await mkdir(path, { mode: 0o700 }).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
      return false;
    },
  );
  await check(path).catch(async (error: unknown) => {
    if (isMade) await rmdir(path).catch(() => undefined);
    throw error;
  });
  const lock = tryLockFile(join(path, lockName));
  if (!lock) return null;
  try {
    await recover(folder, path);
    return createJournal(folder, path, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Who may write to the folder, such as an uploader, could otherwise say what is done to the files of this user. */
async function checkOwn(path: string): Promise<void> {
  const found = await lstat(path);
  if (!found.isDirectory()) throw new TagProblem(`${journalName} is not a folder`);
  const isOwn = process.getuid === undefined || found.uid === process.getuid();
  if (!isOwn)
    throw new TagProblem(`${journalName} belongs to another user, who may have written anything there`);
  if ((found.mode & 0o022) !== 0) {
    throw new TagProblem(
      `other users may write to ${journalName}: where the disk is NTFS, exFAT or a network share, mount it with umask=022 (CIFS: dir_mode=0755); else chmod 700 ${journalName}`,
    );
  }
  const lock = await lstat(join(path, lockName)).catch(ignoreMissing);
  if (lock && !lock.isFile()) throw new TagProblem(`${lockName} in ${journalName} is not a file`);
}

/** Whether a folder has a journal; undoing makes none. */
export async function hasJournal(folder: string): Promise<boolean> {
  const found = await lstat(join(folder, journalName)).catch(ignoreMissing);
  return found?.isDirectory() ?? false;
}

function createJournal(folder: string, path: string, lock: FolderLock): JournalFolder {
  const pathOf = (name: string, end: string) => join(path, nameHash(name) + end);
  const alone = createQueue();
  const guardsAlone = createQueue();
  const held = new Map<string, { readonly undo: GuardedUndo; readonly sinceMs: number }>();
  const end = (name: string, undo: GuardedUndo) => {
    held.delete(name);
    return endGuard(folder, pathOf(name, guardEnd), undo);
  };
  return {
    folder,
    path,
    recordPath: (name) => pathOf(name, recordEnd),
    nextPath: (name) => pathOf(name, nextEnd),
    commit: (name) => commit(path, nameHash(name)),
    discardNext: (name) => rm(pathOf(name, nextEnd), { force: true }),
    alone,
    async records() {
      const names = await readdir(path);
      return names.filter((name) => name.endsWith(recordEnd)).map((name) => join(path, name));
    },
    makeWorkFolder: () => mkdtemp(join(path, 'work-')),
    guard: (name, target) =>
      guardsAlone(async () => {
        const before = held.get(name);
        if (before) await end(name, before.undo);
        try {
          await link(target, pathOf(name, guardEnd));
          return true;
        } catch (error) {
          if (hasNoLinks(error)) return false;
          throw error;
        }
      }),
    endGuard: (name, undo) => guardsAlone(async () => void (await end(name, undo))),
    holdGuard: (name, undo) =>
      guardsAlone(async () => {
        if (await isWritten(pathOf(name, guardEnd), undo)) return end(name, undo);
        held.set(name, { undo, sinceMs: Date.now() });
        return false;
      }),
    endGuards: (heldMs) =>
      guardsAlone(async () => {
        const restored: string[] = [];
        for (const [name, { undo, sinceMs }] of held) {
          if (Date.now() - sinceMs >= heldMs && (await end(name, undo))) restored.push(name);
        }
        return restored;
      }),
    guardsEndInMs(heldMs) {
      const last = Math.max(0, ...[...held.values()].map(({ sinceMs }) => sinceMs));
      return Math.max(0, last + heldMs - Date.now());
    },
    close: () => lock.release(),
  };
}

/** Works one after the other. */
function createQueue(): JournalFolder['alone'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

async function commit(path: string, hash: string): Promise<void> {
  await rename(join(path, hash + nextEnd), join(path, hash + recordEnd));
  await syncFolder(path);
}

async function recover(folder: string, path: string): Promise<void> {
  const names = await readdir(path);
  const ending = (end: string) =>
    names.filter((name) => name.endsWith(end)).map((name) => name.slice(0, -end.length));
  for (const name of names) {
    if (leftOverPattern.test(name)) await rm(join(path, name), { recursive: true, force: true });
  }
  for (const hash of ending(nextEnd)) {
    const next = join(path, hash + nextEnd);
    const undo = (await readRecord(next).catch(ignoreProblem))?.undo;
    if (undo && (await isAsStamped(join(folder, undo.target), undo.after))) await commit(path, hash);
    else await rm(next);
  }
  for (const hash of ending(guardEnd)) {
    const record = await readRecord(join(path, hash + recordEnd)).catch(ignoreProblem);
    await endGuard(folder, join(path, hash + guardEnd), record?.undo ?? null);
  }
}

/** A file that another program still writes to must not lose what it gets: then it comes back, and is tagged later. */
async function endGuard(folder: string, guardPath: string, undo: GuardedUndo | null): Promise<boolean> {
  const guarded = await findIdentity(guardPath);
  const target = undo === null ? null : join(folder, undo.target);
  const current = target === null ? null : await findIdentity(target);
  // Without an exchange, both names are of the same file.
  const isExchanged = current !== null && current.inode !== guarded?.inode;
  const isChanged = await isWritten(guardPath, undo);
  if (target === null || undo === null || !isExchanged || !isChanged) {
    await rm(guardPath, { force: true });
    return false;
  }
  // Where both changed, the later one keeps its name, and the other gets one beside it.
  const back = (await isAsStamped(target, undo.after)) ? target : `${target}.${randomUUID().slice(0, 8)}`;
  await rename(guardPath, back);
  await syncFolder(folder);
  return true;
}

async function isWritten(guardPath: string, undo: GuardedUndo | null): Promise<boolean> {
  const guarded = await findIdentity(guardPath);
  // It is the file of before the exchange, or when that was undone, the one of after it.
  const known = undo ? [undo.replaced, undo.after] : [];
  return guarded !== null && !known.some((each) => each && isSameIdentity(guarded, each));
}

function ignoreProblem(error: unknown): null {
  if (error instanceof TagProblem) return null;
  throw error;
}
