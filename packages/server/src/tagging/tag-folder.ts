import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '@lynceus/engine';
import { toCommandError } from '../core/engine-errors.js';
import { forEachLimited } from '../core/for-each-limited.js';
import { KeywordError } from '../drops/keywords/keyword-error.js';
import { isImageName, isRawName } from '../storage/archive/image-name.js';
import { type JournalFolder, openJournal } from './journal-folder.js';
import { changing } from './stamp.js';
import { type TagDeps, tagImage } from './tag-image.js';
import { isDiskFull, TagProblem } from './tag-problem.js';
import type { TagVerdict } from './verdict.js';
import type { Folder } from './walk-folders.js';

export interface TagFolderOptions {
  /** Images that are looked at and written at the same time. */
  readonly inFlight: number;
  /** Ends it after the images in flight. */
  readonly signal: AbortSignal;
  /** Once for each image, and once more for one that came back as another program wrote to it. */
  readonly onVerdict: (verdict: TagVerdict) => void;
  /** For every file, as it is done. */
  readonly onFile?: () => void;
}

/**
 * Tags the images of one folder. Answers what ends the work on it, once the guards of its files have run out: until then no other
 * command may have it. A file that fails is a verdict. Throws what would make all others fail as well: a full disk, a missing
 * model, no exiftool.
 */
export async function tagFolder(
  deps: TagDeps,
  { path, names }: Pick<Folder, 'path' | 'names'>,
  { inFlight, signal, onVerdict, onFile }: TagFolderOptions,
): Promise<() => Promise<void>> {
  let opening: Promise<JournalFolder | null> | undefined;
  /** With the first image: a folder without images gets none. */
  const open = () => {
    opening ??= deps.isTrial ? Promise.resolve(null) : takeJournal(path);
    return opening;
  };
  const nothing = { added: [], sidecar: null, reason: null };
  const endGuards = async (heldMs: number) => {
    const restored = await (await opening?.catch(() => null))?.endGuards(heldMs);
    for (const name of restored ?? []) {
      onVerdict({ ...nothing, path: join(path, name), outcome: 'failed', reason: changing().message });
    }
  };
  const end = async () => {
    try {
      await endGuards(0);
    } finally {
      (await opening?.catch(() => null))?.close();
    }
  };
  try {
    await forEachLimited(names, inFlight, async (image) => {
      if (signal.aborted) return;
      const own = join(path, image);
      try {
        const outcome = await tagImage(deps, { folder: path, image, openJournal: open }, neverAborted);
        if (outcome) {
          const sidecar = outcome.sidecar === null ? null : join(path, outcome.sidecar);
          onVerdict({ ...nothing, ...outcome, path: own, sidecar });
        } else if (isImageName(image) || isRawName(image)) {
          onVerdict({ ...nothing, path: own, outcome: 'passed-over' });
        }
      } catch (error) {
        if (isForAll(error)) throw error;
        // Ctrl-C in a terminal ends exiftool and inference as well: the file is as it was, and is for the next run.
        if (signal.aborted && isInterruption(error)) return;
        onVerdict({ ...nothing, path: own, outcome: 'failed', reason: reasonOf(error) });
      }
      onFile?.();
      await endGuards(deps.settleMs);
    });
  } catch (error) {
    if (!(error instanceof FolderProblem)) {
      await end();
      throw error;
    }
    onVerdict({ ...nothing, path, outcome: 'failed', reason: error.message });
  }
  return async () => {
    try {
      const waitMs = (await opening?.catch(() => null))?.guardsEndInMs(deps.settleMs) ?? 0;
      if (waitMs > 0) await sleep(waitMs);
    } finally {
      await end();
    }
  };
}

/** Images in flight are always finished: they take seconds. */
const neverAborted = new AbortController().signal;

/** Why a folder cannot be worked on. */
class FolderProblem extends Error {
  override readonly name = 'FolderProblem';
}

async function takeJournal(path: string): Promise<JournalFolder> {
  const journal = await openJournal(path).catch((error: unknown) => {
    if (isDiskFull(error)) throw error;
    throw new FolderProblem(`its journal cannot be opened: ${reasonOf(error)}`, { cause: error });
  });
  if (journal) return journal;
  throw new FolderProblem('another command works in this folder; run this one again when it has ended');
}

/** What every image would fail with, or every one of the folder. */
export function isForAll(error: unknown): boolean {
  if (error instanceof FolderProblem || isDiskFull(error)) return true;
  if (error instanceof KeywordError) return error.code === 'unavailable' || error.code === 'failed';
  return error instanceof EngineError && error.code === 'model-missing';
}

function isInterruption(error: unknown): boolean {
  if (error instanceof KeywordError) return error.code === 'interrupted';
  return error instanceof EngineError && ['process-crashed', 'busy', 'aborted'].includes(error.code);
}

/** In words for the owner of the file. */
export function reasonOf(error: unknown): string {
  const shown = toCommandError(error);
  if (!(shown instanceof Error)) return String(shown);
  if (shown instanceof TagProblem || !('code' in shown) || !('syscall' in shown)) return shown.message;
  return `it cannot be read or written (${String(shown.code)})`;
}
