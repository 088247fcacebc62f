import { onGuessedName } from '../../storage/archive/file-tree.js';
import type { EnrolImage } from './enrol-image.js';
import type { ImageTree, ListedFile } from './image-tree.js';
import type { ImageVerdict } from './verdict.js';
import type { WhoseFolders } from './whose-folders.js';

interface EnrolTreeOptions {
  readonly tree: ImageTree;
  readonly folders: Pick<WhoseFolders, 'whose'>;
  readonly enrol: EnrolImage;
  /** Images that are in memory and looked at, at most; one more is read meanwhile. */
  readonly inFlight: number;
  /** Ends it after the images in flight. */
  readonly signal: AbortSignal;
  /** Once for each file, as it is done. */
  readonly onVerdict: (verdict: ImageVerdict) => void;
}

/**
 * Adds every image of a tree to the person whose folder it is in. An image that cannot be added is a verdict; what `enrol`
 * throws ends it, after the images in flight.
 */
export async function enrolTree(options: EnrolTreeOptions): Promise<void> {
  const { tree, inFlight, signal, onVerdict } = options;
  const running = new Set<Promise<void>>();
  const faults: unknown[] = [];
  for await (const file of tree.list()) {
    if (signal.aborted || faults.length > 0) break;
    const work = await begin(options, file);
    while (running.size >= inFlight) await Promise.race(running);
    const own = work()
      .then(onVerdict)
      .catch((error: unknown) => void faults.push(error))
      .finally(() => running.delete(own));
    running.add(own);
  }
  await Promise.all(running);
  if (faults.length > 0) throw faults[0];
}

/** Reads the file at once, and answers what is left to do. */
async function begin(
  { folders, enrol }: EnrolTreeOptions,
  file: ListedFile,
): Promise<() => Promise<ImageVerdict>> {
  const { path } = file;
  const verdictOf =
    (person: string | null, verdict: ImageVerdict['verdict'], advice: string) => async () => ({
      path,
      person,
      verdict,
      imageId: null,
      advice,
    });
  if ('refusal' in file) return verdictOf(null, 'not-read', file.refusal);
  const whose = folders.whose(path);
  if ('refusal' in whose) return verdictOf(null, 'refused', whose.refusal);
  const content = await file.read();
  if ('problem' in content) return verdictOf(whose.name, content.problem, content.reason);
  return async () => {
    const verdict = { path, person: whose.name, ...(await enrol(whose.name, content.bytes)) };
    return file.hasGuessedName ? withNameAdvice(verdict) : verdict;
  };
}

/** A person may have been created under a wrong name. */
function withNameAdvice(verdict: ImageVerdict): ImageVerdict {
  return {
    ...verdict,
    verdict: verdict.verdict === 'added' ? 'added-with-advice' : verdict.verdict,
    advice: verdict.advice === null ? onGuessedName : `${verdict.advice}; ${onGuessedName}`,
  };
}
