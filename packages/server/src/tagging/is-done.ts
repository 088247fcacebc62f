import { join } from 'node:path';
import type { JournalFolder } from './journal-folder.js';
import { imagesOf, type JournalRecord, readRecord } from './journal-record.js';
import { isAsStamped } from './stamp.js';

interface DoneOptions {
  readonly fingerprint: string;
  readonly isAgain: boolean;
  readonly isWatching: boolean;
}

/** What was made of a file before, where nothing is to be done now. */
export async function isDone(
  { fingerprint, isAgain, isWatching }: DoneOptions,
  { folder, recordPath }: Pick<JournalFolder, 'folder' | 'recordPath'>,
  record: JournalRecord,
): Promise<'done-before' | 'undone-before' | null> {
  const { outcome, settings, image, stamp, sidecar } = record;
  const isSame = await isAsStamped(join(folder, image), stamp);
  if (!isSame || isAgain) return null;
  const written = sidecar === undefined ? null : await readRecord(recordPath(sidecar));
  if (outcome === 'undone' || written?.outcome === 'undone') return isWatching ? 'undone-before' : null;
  if (settings !== fingerprint) return null;
  if (outcome === 'failed') return isWatching ? 'done-before' : null;
  if (sidecar === undefined) return 'done-before';
  // Written again for another image since it was undone, it lacks the keywords of this one.
  if (!written || !imagesOf(written).includes(image)) return null;
  const { undo } = written;
  return undo && (await isAsStamped(join(folder, undo.target), undo.after)) ? 'done-before' : null;
}
