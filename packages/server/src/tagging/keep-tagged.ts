import { join } from 'node:path';
import { copyAttributes, copyRights } from './copy-attributes.js';
import type { JournalFolder } from './journal-folder.js';
import {
  changeRecord,
  imagesOf,
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

interface KeepDeps {
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
 * in the record of the file that was written: an image and its sidecar may both have some, and images may share a sidecar. Where
 * keywords go beside the image, nothing else works on sidecars of the folder meanwhile.
 * @param stamp of the image that was looked at
 * @param sidecar name of the sidecar that there is, where keywords go beside the image
 * @param tagged null where there was nothing to add
 */
export async function keepTagged(
  deps: KeepDeps,
  stamp: Stamp,
  tagged: TaggedFile | null,
  sidecar: string | null,
): Promise<void> {
  const { journal, image, record } = deps;
  if (tagged === null) {
    const isWritten = sidecar !== null && (await shareSidecar(journal, image, sidecar));
    return keepDone(deps, {
      ...{ outcome: 'nothing-to-add', stamp, added: [] },
      ...(isWritten ? { sidecar } : {}),
    });
  }
  const { target, added } = tagged;
  if (target === image) return putInPlace(deps, stamp, tagged, record);
  await putInPlace(deps, stamp, tagged, await readRecord(journal.recordPath(target)));
  await keepDone(deps, { outcome: 'tagged', stamp, added: [...added], sidecar: target });
}

/**
 * Notes that a sidecar has the keywords of one more image, so that undoing it is known to undo those as well. False where this
 * program did not write it, or another one changed it since.
 */
async function shareSidecar(journal: JournalFolder, image: string, sidecar: string): Promise<boolean> {
  const path = journal.recordPath(sidecar);
  const record = await findUndoable(journal.folder, await readRecord(path));
  if (!record) return false;
  const images = imagesOf(record);
  if (!images.includes(image)) await changeRecord(path, { images: [...images, image] });
  return true;
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
    ...(target === image ? {} : { images: [...new Set([...(first ? imagesOf(first) : []), image])] }),
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
