import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachLimited } from '../core/for-each-limited.js';
import { syncFolder } from '../storage/durable-folder.js';
import { copyAttributes } from './copy-attributes.js';
import { hasJournal, type JournalFolder, openJournal } from './journal-folder.js';
import { type JournalRecord, readRecord, restoreFormer, writeRecord } from './journal-record.js';
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

export interface UndoOptions {
  readonly workPlace: WorkPlace;
  /** Change nothing. */
  readonly isTrial: boolean;
  readonly signal: AbortSignal;
  readonly onVerdict: (verdict: UndoVerdict) => void;
}

/** Files at the same time: most of the time is waiting for the disk. */
const inFlight = 8;

/**
 * Gives every file of a folder that was tagged its former bytes. One that was changed since is left as it is. The records stay,
 * without former bytes, so that `--watch` does not tag them once more.
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
        const outcome = await undoImage(journal, record, options);
        const reason = outcome === 'changed' ? 'it was changed since; it is left as it is' : null;
        onVerdict({ path: image, outcome, removed: outcome === 'undone' ? record.added : [], reason });
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

async function undoImage(
  journal: JournalFolder,
  record: JournalRecord,
  { workPlace, isTrial }: UndoOptions,
): Promise<'undone' | 'changed' | 'gone'> {
  const { undo } = record;
  if (!undo) throw new TagProblem('nothing was written');
  const path = join(journal.folder, undo.target);
  const current = await findIdentity(path);
  if (current === null) return undo.before === null ? settle(journal, record, isTrial) : 'gone';
  if (!(await isAsStamped(path, undo.after))) {
    // Undone by a command that was ended before it wrote so, or by the owner.
    const isFormer = undo.before !== null && (await hashFile(path)) === undo.before.sha256;
    return isFormer ? settle(journal, record, isTrial) : 'changed';
  }
  if (isTrial) return 'undone';
  if (undo.before === null) {
    await rm(path);
    await syncFolder(journal.folder);
    return settle(journal, record, isTrial);
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
  return settle(journal, record, isTrial);
}

async function settle(journal: JournalFolder, record: JournalRecord, isTrial: boolean): Promise<'undone'> {
  if (isTrial) return 'undone';
  const { image } = record;
  const target = record.undo?.target ?? image;
  // A sidecar's image may be gone.
  const stamp = await stampOf(join(journal.folder, image)).catch(() => record.stamp);
  await writeRecord(journal.recordPath(target), {
    ...record,
    outcome: 'undone',
    stamp,
    added: [],
    ...(target === image ? {} : { sidecar: target }),
    undo: null,
  });
  return 'undone';
}
