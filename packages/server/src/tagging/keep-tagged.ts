import { join } from 'node:path';
import { copyAttributes, copyRights } from './copy-attributes.js';
import type { JournalFolder } from './journal-folder.js';
import {
  changeRecord,
  type JournalRecord,
  readRecord,
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
 * takes the place, then the record counts: at any moment one of both files is there whole, and can be undone. Former bytes are
 * in the record of the file that was written: an image and its sidecar may both have some, and images may share a sidecar.
 * @param stamp of the image that was looked at
 * @param tagged null where there was nothing to add
 */
export async function keepTagged(deps: KeepDeps, stamp: Stamp, tagged: TaggedFile | null): Promise<void> {
  const { journal, image, record } = deps;
  if (tagged === null) {
    // A sidecar that has the keywords because of this program is still where they are.
    const { sidecar } = record ?? {};
    return keepDone(deps, { outcome: 'nothing-to-add', stamp, added: [], ...(sidecar ? { sidecar } : {}) });
  }
  const { target, added } = tagged;
  if (target === image) return putInPlace(deps, stamp, tagged, record);
  await journal.alone(async () => {
    await putInPlace(deps, stamp, tagged, await readRecord(journal.recordPath(target)));
    await keepDone(deps, { outcome: 'tagged', stamp, added: [...added], sidecar: target });
  });
}

/** @param record of the file that is written */
async function putInPlace(
  { journal, work, image, fingerprint }: KeepDeps,
  stamp: Stamp,
  tagged: TaggedFile,
  record: JournalRecord | null,
): Promise<void> {
  // Of several runs, the bytes of before the first are the former ones.
  const first = await findUndoable(journal.folder, record);
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
  const next = journal.nextPath(target);
  const addedByAll = [...(first?.added ?? []), ...added];
  if (former === null || (first && first.undo?.before === null)) {
    await writeRecord(next, { ...base, added: addedByAll, undo: { ...undo, before: null, pieces: [] } });
  } else {
    const formerPath = first ? work.at('former') : former.path;
    if (first) await restoreFormer(journal.recordPath(target), former.path, formerPath);
    const before = first?.undo?.before ?? { sizeBytes: former.stamp.sizeBytes, sha256: former.stamp.sha256 };
    await writeUndoRecord(
      next,
      { ...base, added: addedByAll, undo: { ...undo, before } },
      { formerPath, laterPath, tryPath: work.at('trial') },
    );
  }
  try {
    await replaceFile(journal, { name: target, path: targetPath, undo, newPath: laterPath });
  } catch (error) {
    await journal.discardNext(target);
    throw error;
  }
  await journal.commit(target);
}

type Done = Pick<JournalRecord, 'outcome' | 'stamp' | 'added' | 'sidecar'>;

/** Records what is known of an image, which itself was not written. Former bytes of it that the journal has stay there. */
async function keepDone(
  { journal, image, record, fingerprint }: Pick<KeepDeps, 'journal' | 'image' | 'record' | 'fingerprint'>,
  { outcome, stamp, added, sidecar }: Done,
): Promise<void> {
  const path = journal.recordPath(image);
  const now = { settings: fingerprint, stamp, ...(sidecar === undefined ? {} : { sidecar }) };
  if (record?.undo) {
    await changeRecord(path, { ...now, outcome: outcome === 'nothing-to-add' ? 'tagged' : outcome });
  } else {
    await writeRecord(path, { version: 1, image, outcome, added, undo: null, ...now });
  }
}

/** Records that a file cannot be tagged as it is, unless it is as this program wrote it. */
export async function keepFailure(
  deps: Pick<KeepDeps, 'journal' | 'image' | 'fingerprint' | 'record'> & { readonly stamp: Stamp },
): Promise<void> {
  const { journal, record, stamp } = deps;
  if (await findUndoable(journal.folder, record)) return;
  await keepDone(deps, { outcome: 'failed', stamp, added: [] });
}

/** A record whose written file is there still: only from it the former bytes can be made. */
async function findUndoable(folder: string, record: JournalRecord | null): Promise<JournalRecord | null> {
  if (!record?.undo) return null;
  const path = join(folder, record.undo.target);
  return (await isAsStamped(path, record.undo.after)) ? record : null;
}
