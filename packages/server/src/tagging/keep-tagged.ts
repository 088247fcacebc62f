import { join } from 'node:path';
import { copyAttributes, copyRights } from './copy-attributes.js';
import type { JournalFolder } from './journal-folder.js';
import {
  changeRecord,
  type JournalRecord,
  restoreFormer,
  writeRecord,
  writeUndoRecord,
} from './journal-record.js';
import { replaceFile } from './replace-file.js';
import { isAsStamped, type Stamp } from './stamp.js';
import type { WorkFolder } from './work-place.js';
import { stampWritten, type TaggedFile } from './write-tagged.js';

export interface KeepDeps {
  readonly journal: JournalFolder;
  readonly work: WorkFolder;
  /** Name of the image. */
  readonly image: string;
  /** What the journal has of it. */
  readonly record: JournalRecord | null;
  readonly fingerprint: string;
}

/**
 * Records what was made of an image and puts a written file in its place. The former bytes are on disk first, then the new file
 * takes the place, then the record counts: at any moment one of both files is there whole, and can be undone.
 * @param stamp of the image that was looked at
 * @param tagged null where there was nothing to add
 */
export async function keepTagged(deps: KeepDeps, stamp: Stamp, tagged: TaggedFile | null): Promise<void> {
  const { journal, work, image, record, fingerprint } = deps;
  const undoable = await findUndoable(journal.folder, record);
  if (tagged === null) return keepNothing(deps, stamp, undoable !== null);

  const { target, former, path: laterPath, added } = tagged;
  const targetPath = join(journal.folder, target);
  if (former) await copyAttributes(targetPath, laterPath);
  else await copyRights(join(journal.folder, image), laterPath);
  const after = await stampWritten(tagged);
  const undo = { target, after, replaced: former?.stamp ?? null };
  const base = {
    version: 1,
    image,
    settings: fingerprint,
    outcome: 'tagged',
    stamp: target === image ? after : stamp,
  } as const;
  const next = journal.nextPath(image);
  // Of several runs, the bytes of before the first are the former ones.
  const first = undoable?.undo?.target === target ? undoable : null;
  const addedByAll = [...(first?.added ?? []), ...added];
  if (former === null || (first && first.undo?.before === null)) {
    await writeRecord(next, { ...base, added: addedByAll, undo: { ...undo, before: null, pieces: [] } });
  } else {
    const formerPath = first ? work.at('former') : former.path;
    if (first) await restoreFormer(journal.recordPath(image), former.path, formerPath);
    const before = first?.undo?.before ?? { sizeBytes: former.stamp.sizeBytes, sha256: former.stamp.sha256 };
    await writeUndoRecord(
      next,
      { ...base, added: addedByAll, undo: { ...undo, before } },
      { formerPath, laterPath, tryPath: work.at('trial') },
    );
  }
  try {
    await replaceFile(journal, { image, path: targetPath, undo, newPath: laterPath });
  } catch (error) {
    await journal.discardNext(image);
    throw error;
  }
  await journal.commit(image);
}

async function keepNothing(
  { journal, image, record, fingerprint }: KeepDeps,
  stamp: Stamp,
  isUndoable: boolean,
): Promise<void> {
  const path = journal.recordPath(image);
  if (record && isUndoable) return changeRecord(path, { settings: fingerprint });
  await writeRecord(path, {
    ...{ version: 1, image, settings: fingerprint, outcome: 'nothing-to-add' },
    ...{ stamp, added: [], undo: null },
  });
}

/** Records that a file cannot be tagged as it is, unless its record can still undo something. */
export async function keepFailure(
  journal: JournalFolder,
  {
    image,
    fingerprint,
    stamp,
    record,
  }: Pick<KeepDeps, 'image' | 'fingerprint' | 'record'> & { stamp: Stamp },
): Promise<void> {
  if (await findUndoable(journal.folder, record)) return;
  await writeRecord(journal.recordPath(image), {
    ...{ version: 1, image, settings: fingerprint, outcome: 'failed' },
    ...{ stamp, added: [], undo: null },
  });
}

/** A record whose written file is there still: only from it the former bytes can be made. */
async function findUndoable(folder: string, record: JournalRecord | null): Promise<JournalRecord | null> {
  if (record?.outcome !== 'tagged' || !record.undo) return null;
  const path = join(folder, record.undo.target);
  return (await isAsStamped(path, record.undo.after)) ? record : null;
}
