import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachLimited } from '../core/for-each-limited.js';
import { syncFolder } from '../storage/durable-folder.js';
import { copyAttributes } from './copy-attributes.js';
import { createFilesByContent, type FilesByContent } from './files-by-content.js';
import { hasJournal, type JournalFolder, openJournal } from './journal-folder.js';
import {
  changeRecord,
  imagesOf,
  type JournalRecord,
  readRecord,
  restoreFormer,
  type Undo,
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
 * Gives every file of a folder that was tagged its former bytes, also under another name. One that was changed since is left as
 * it is. The records stay, without former bytes, so that `--watch` does not tag them once more.
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
  const files = createFilesByContent(folder);
  try {
    await forEachLimited(await journal.records(), inFlight, async (recordPath) => {
      if (signal.aborted) return;
      let image = recordPath;
      try {
        const record = await readRecord(recordPath);
        if (!record?.undo) return;
        image = join(folder, record.image);
        const { outcome, renamed } = await undoFile(journal, record, files, options);
        const removed = outcome === 'undone' ? record.added : [];
        // A sidecar may be that of several images.
        for (const name of renamed === null ? imagesOf(record) : [renamed]) {
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

interface Undone {
  readonly outcome: keyof typeof reasons;
  /** The name that the image was given since; null where it has its own. */
  readonly renamed: string | null;
}

async function undoFile(
  journal: JournalFolder,
  record: JournalRecord,
  files: FilesByContent,
  { workPlace, isTrial }: UndoOptions,
): Promise<Undone> {
  const { undo } = record;
  if (!undo) throw new TagProblem('nothing was written');
  const isHere = (await findIdentity(join(journal.folder, undo.target))) !== null;
  const name = isHere ? undo.target : await findRenamed(journal, undo, files);
  const renamed = isHere || undo.target !== record.image ? null : name;
  const settled = async (): Promise<Undone> => {
    if (!isTrial) await settle(journal, record, name ?? undo.target);
    return { outcome: 'undone', renamed };
  };
  if (name === null) {
    // A sidecar that was made is deleted again, unless it went away with its image.
    const isImageHere = (await findIdentity(join(journal.folder, record.image))) !== null;
    return undo.before === null && isImageHere ? settled() : { outcome: 'gone', renamed };
  }
  const path = join(journal.folder, name);
  const current = await findIdentity(path);
  if (current === null || !(await isAsStamped(path, undo.after))) {
    // Undone by a command that was ended before it wrote so, or by the owner.
    const isFormer = undo.before !== null && (await hashFile(path)) === undo.before.sha256;
    return isFormer ? settled() : { outcome: 'changed', renamed };
  }
  if (isTrial) return { outcome: 'undone', renamed };
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
    const exchange = { target: name, after: await stampOf(former), replaced: current };
    await replaceFile(journal, { name, path, undo: exchange, newPath: former });
  } finally {
    await work.remove();
  }
  return settled();
}

/** The name that a file was given since, by its bytes: as it was written, or where it was undone already, as it was before. */
async function findRenamed(
  journal: JournalFolder,
  { before, after }: Undo,
  files: FilesByContent,
): Promise<string | null> {
  for (const content of before === null ? [after] : [after, before]) {
    for (const name of await files.find(content)) {
      // Another image with the same bytes has a record of its own.
      const record = await readRecord(journal.recordPath(name)).catch(() => null);
      if (!record?.undo && files.take(name)) return name;
    }
  }
  return null;
}

/** Records that a file was undone, so that `--watch` leaves it and the images whose keywords it had so. */
async function settle(journal: JournalFolder, record: JournalRecord, name: string): Promise<void> {
  const target = record.undo?.target ?? record.image;
  const undone: JournalRecord = { ...record, outcome: 'undone', added: [], undo: null };
  if (target === record.image) {
    const stamp = await stampOf(join(journal.folder, name));
    if (name !== target) await writeRecord(journal.recordPath(name), { ...undone, image: name, stamp });
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
