import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachLimited } from '../core/for-each-limited.js';
import { syncFolder } from '../storage/durable-folder.js';
import { copyAttributes } from './copy-attributes.js';
import { hasJournal, type JournalFolder, openJournal } from './journal-folder.js';
import {
  changeRecord,
  imagesOf,
  type JournalRecord,
  readRecord,
  restoreFormer,
  writeRecord,
} from './journal-record.js';
import { replaceFile } from './replace-file.js';
import { changing, findIdentity, hashFile, isAsStamped, stampOf } from './stamp.js';
import { reasonOf } from './tag-folder.js';
import { isDiskFull, TagProblem } from './tag-problem.js';
import type { WorkPlace } from './work-place.js';

export interface UndoVerdict {
  /** Absolute, of the image, or of a folder that could not be worked on. */
  readonly path: string;
  /** `gone`: the image is not there any more. */
  readonly outcome: 'undone' | 'changed' | 'gone' | 'failed';
  /** Keywords that were in the file because of this program. */
  readonly removed: readonly string[];
  readonly reason: string | null;
}

interface UndoOptions {
  readonly workPlace: WorkPlace;
  /** Change nothing. */
  readonly isTrial: boolean;
  readonly signal: AbortSignal;
  readonly onVerdict: (verdict: UndoVerdict) => void;
}

/** Files at the same time: most of the time is waiting for the disk. */
const inFlight = 8;

/**
 * Gives every file of a folder that was tagged its former bytes. One that was changed since is left as it is, and one that was
 * renamed or moved is not searched for: other files may have its bytes. The records stay, without former bytes, so that `--watch` does not tag them once more.
 */
export async function undoFolder(folder: string, options: UndoOptions): Promise<void> {
  const { signal, onVerdict } = options;
  if (!(await hasJournal(folder))) return;
  const nothing = { removed: [], reason: null };
  const journal = await openJournal(folder).catch((error: unknown) => {
    if (isDiskFull(error)) throw error;
    return `its journal cannot be opened: ${reasonOf(error)}`;
  });
  if (journal === null || typeof journal === 'string') {
    const reason = journal ?? 'another command works in this folder; run this one again when it has ended';
    onVerdict({ ...nothing, path: folder, outcome: 'failed', reason });
    return;
  }
  try {
    await forEachLimited(await journal.records(), inFlight, async (recordPath) => {
      if (signal.aborted) return;
      let image = recordPath;
      try {
        const record = await readRecord(recordPath);
        if (!record?.undo) return;
        image = join(folder, record.image);
        const outcome = await undoFile(journal, record, options);
        const removed = outcome === 'undone' ? record.added : [];
        // A sidecar may be that of several images.
        for (const name of imagesOf(record)) {
          onVerdict({ path: join(folder, name), outcome, removed, reason: reasons[outcome] });
        }
      } catch (error) {
        if (isDiskFull(error)) throw error;
        onVerdict({ ...nothing, path: image, outcome: 'failed', reason: reasonOf(error) });
      }
    });
    for (const name of await journal.endGuards(0)) {
      onVerdict({ ...nothing, path: join(folder, name), outcome: 'failed', reason: changing().message });
    }
  } finally {
    journal.close();
  }
}

const reasons = {
  undone: null,
  changed: 'it was changed since; it is left as it is',
  gone: 'it is not in this folder any more: give it its name and its folder again, and run the command again',
} as const;

async function undoFile(
  journal: JournalFolder,
  record: JournalRecord,
  { workPlace, isTrial }: UndoOptions,
): Promise<keyof typeof reasons> {
  const { undo } = record;
  if (!undo) throw new TagProblem('nothing was written');
  const path = join(journal.folder, undo.target);
  const settled = async () => {
    if (!isTrial) await settle(journal, record);
    return 'undone' as const;
  };
  const current = await findIdentity(path);
  // A sidecar that was made is deleted again, unless it went away with its images.
  if (current === null)
    return undo.before === null && (await isAnyHere(journal, record)) ? settled() : 'gone';
  if (!(await isAsStamped(path, undo.after))) {
    // Undone by a command that was ended before it wrote so, or by the owner.
    const isFormer = undo.before !== null && (await hashFile(path)) === undo.before.sha256;
    return isFormer ? settled() : 'changed';
  }
  if (isTrial) return 'undone';
  if (undo.before === null) {
    await rm(path);
    await syncFolder(journal.folder);
    return settled();
  }
  const work = await workPlace.open(await journal.makeWorkFolder());
  try {
    const former = work.at('former');
    await restoreFormer(journal.recordPath(undo.target), path, former);
    await copyAttributes(path, former);
    const exchange = { target: undo.target, after: await stampOf(former), replaced: current };
    await replaceFile(journal, { name: undo.target, path, undo: exchange, newPath: former });
  } finally {
    await work.remove();
  }
  return settled();
}

async function isAnyHere({ folder }: JournalFolder, record: JournalRecord): Promise<boolean> {
  const found = await Promise.all(imagesOf(record).map((image) => findIdentity(join(folder, image))));
  return found.some((each) => each !== null);
}

/** Records that a file was undone, so that `--watch` leaves it and the images whose keywords it had so. */
async function settle(journal: JournalFolder, record: JournalRecord): Promise<void> {
  const target = record.undo?.target ?? record.image;
  const undone: JournalRecord = { ...record, outcome: 'undone', added: [], undo: null };
  if (target === record.image) {
    const stamp = await stampOf(join(journal.folder, target));
    return writeRecord(journal.recordPath(target), { ...undone, stamp });
  }
  // A sidecar's image may be gone.
  const stamp = await stampOf(join(journal.folder, record.image)).catch(() => record.stamp);
  await journal.alone(async () => {
    for (const image of imagesOf(record)) {
      const path = journal.recordPath(image);
      const own = await readRecord(path);
      // One that was written itself is undone itself.
      if (own?.sidecar === target && own.undo === null) {
        await changeRecord(path, { outcome: 'undone', added: [] });
      }
    }
  });
  await writeRecord(journal.recordPath(target), { ...undone, stamp, sidecar: target });
}
