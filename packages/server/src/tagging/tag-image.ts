import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '@lynceus/engine';
import { chooseKeywords } from '../drops/keywords/choose-keywords.js';
import type { Exiftool } from '../drops/keywords/exiftool.js';
import { findFileKind, readImageKind, readLikelyKind } from '../drops/keywords/file-kind.js';
import { KeywordError } from '../drops/keywords/keyword-error.js';
import { keywordTarget } from '../drops/keywords/metadata-target.js';
import { takeRawPreview } from '../drops/keywords/raw-preview.js';
import { checkWritable } from './check-writable.js';
import { isDone } from './is-done.js';
import type { JournalFolder } from './journal-folder.js';
import { readRecord } from './journal-record.js';
import { keepFailure, keepTagged } from './keep-tagged.js';
import type { RecogniseFile } from './recognise-file.js';
import { identityOf, type Stamp, takeSnapshot } from './stamp.js';
import { ignoreMissing, TagProblem } from './tag-problem.js';
import type { TagSettings } from './tag-settings.js';
import type { TagOutcome } from './verdict.js';
import type { WorkFolder, WorkPlace } from './work-place.js';
import {
  findSidecar,
  findTarget,
  finishTagged,
  type TaggedImage,
  type TaggedRequest,
  writeTagged,
} from './write-tagged.js';

export interface TagDeps {
  readonly exiftool: Exiftool;
  readonly recognise: RecogniseFile;
  readonly settings: TagSettings;
  /** Of settings and perception (`fingerprintOf`). */
  readonly fingerprint: string;
  readonly maxFileBytes: number;
  readonly workPlace: WorkPlace;
  /** Time since the last change of a file after which no program writes to it any more. */
  readonly settleMs: number;
  /** Look at files again that were done with the same settings. */
  readonly isAgain: boolean;
  /** Write nothing. */
  readonly isTrial: boolean;
  /** A file that is not settled is left for later, and one whose keywords were removed is left so. */
  readonly isWatching: boolean;
}

/** What became of an image. */
interface ImageOutcome {
  readonly outcome: Exclude<TagOutcome, 'failed'>;
  readonly added: readonly string[];
  /** Name of the sidecar, where one was written. */
  readonly sidecar: string | null;
}

interface ImagePlace {
  readonly folder: string;
  readonly image: string;
  /** Null in a trial. */
  readonly openJournal: () => Promise<JournalFolder | null>;
}

/**
 * Looks at one file and writes its keywords. Null for what is no image. Throws `TagProblem`, `KeywordError`, errors of the
 * engine and of the disk: then the file is as it was.
 */
export async function tagImage(
  deps: TagDeps,
  place: ImagePlace,
  signal: AbortSignal,
): Promise<ImageOutcome | null> {
  const { folder, image } = place;
  const path = join(folder, image);
  if (!(await mayBeTagged(path))) return null;
  // Whoever opens it first restores what a killed command left: files are as they are only from then on.
  const journal = await place.openJournal();
  const found = await lstat(path, { bigint: true }).catch(ignoreMissing);
  if (!found?.isFile()) return null;
  const record = journal ? await readRecord(journal.recordPath(image)) : null;
  const before = journal && record ? await isDone(deps, journal, record) : null;
  if (before !== null) return withoutKeywords(before);

  const waitMs = settlesInMs(found, deps.settleMs);
  if (waitMs > 0 && deps.isWatching) return withoutKeywords('unsettled');
  // Where it changes meanwhile, it is not the file any more that is expected below.
  if (waitMs > 0) await sleep(waitMs);
  checkSize(found.size, deps.maxFileBytes);
  if (!deps.isTrial && (await isSurelyWritten(path))) await checkWritable(folder, image);
  const work = await deps.workPlace.open(journal ? await journal.makeWorkFolder() : undefined);
  try {
    const source = work.at('source');
    const stamp = await takeSnapshot(path, identityOf(found), source);
    const lasting = async (error: unknown): Promise<never> => {
      if (journal && isLasting(error)) await keepFailure({ journal, image, stamp, record, ...deps });
      throw error;
    };
    const seen = await lookAndWrite(deps, { folder, image, stamp, source, work }, signal).catch(lasting);
    if (seen === 'no-image') return null;
    const { request, own } = seen;
    const finish = async () => {
      const made = await finishTagged(deps.exiftool, work, request, own, signal).catch(lasting);
      const sidecar = own.isBeside ? await findSidecar(folder, image) : null;
      if (journal) {
        const { fingerprint } = deps;
        await keepTagged({ journal, work, image, record, fingerprint }, stamp, made, sidecar);
      }
      return made;
    };
    // Images may share a sidecar: each takes it as the one before left it.
    const tagged = await (own.isBeside && journal ? journal.alone(finish) : finish());
    if (tagged === null) {
      return withoutKeywords(request.keywords.length === 0 ? 'nothing-found' : 'nothing-to-add');
    }
    return {
      outcome: 'tagged',
      added: tagged.added,
      sidecar: tagged.target === image ? null : tagged.target,
    };
  } finally {
    await work.remove();
  }
}

async function mayBeTagged(path: string): Promise<boolean> {
  const found = await lstat(path).catch(ignoreMissing);
  if (!found?.isFile() || found.size === 0) return false;
  return (await readLikelyKind(path)) !== null;
}

/**
 * Whether keywords go into the file itself, by its first bytes alone: `--watch` meets read-only files at each look, and copies none of
 * those. Of the others, which may get a sidecar, more is read first.
 */
async function isSurelyWritten(path: string): Promise<boolean> {
  const image = await readImageKind(path);
  if (image === null || image === 'tiff') return false;
  return keywordTarget({ kind: 'image', image }, 'sidecar')?.metadataTarget !== 'sidecar';
}

/** Whether another attempt at the same bytes would fail as well. */
function isLasting(error: unknown): boolean {
  if (error instanceof TagProblem) return error.isLasting;
  const code = error instanceof KeywordError || error instanceof EngineError ? error.code : null;
  return lastingCodes.some((lasting) => lasting === code);
}

const lastingCodes = [
  ...(['damaged', 'too-large', 'no-preview', 'not-kept'] as const),
  ...(['image-empty', 'image-unsupported', 'image-corrupt', 'image-too-large', 'image-too-complex'] as const),
];

function withoutKeywords(outcome: ImageOutcome['outcome']): ImageOutcome {
  return { outcome, added: [], sidecar: null };
}

async function lookAndWrite(
  deps: TagDeps,
  {
    folder,
    image,
    stamp,
    source,
    work,
  }: { folder: string; image: string; stamp: Stamp; source: string; work: WorkFolder },
  signal: AbortSignal,
): Promise<{ readonly request: TaggedRequest; readonly own: TaggedImage } | 'no-image'> {
  const { exiftool, recognise, settings, maxFileBytes } = deps;
  const { rawFiles } = settings.keywords;
  const kind = await findFileKind(exiftool, source, signal);
  if (kind.kind === 'other') return 'no-image';
  // Before the image is looked at, which takes longest.
  if (!deps.isTrial) await checkWritable(folder, await findTarget({ folder, image, kind, source, rawFiles }));
  let seen = source;
  if (kind.kind === 'raw') {
    seen = work.at('preview');
    await takeRawPreview(exiftool, { inputPath: source, outputPath: seen, maxBytes: maxFileBytes }, signal);
  }
  const keywords = chooseKeywords(await recognise(seen, signal), settings.keywords);
  const request = { folder, image, kind, source, stamp, keywords, rawFiles, maxFileBytes };
  return { request, own: await writeTagged(exiftool, work, request, signal) };
}

/** By both times: a program that copies a file may give it the time of the original before it has all bytes. */
function settlesInMs(found: { mtimeMs: bigint; ctimeMs: bigint }, settleMs: number): number {
  const ages = [found.mtimeMs, found.ctimeMs].map((timeMs) => Date.now() - Number(timeMs));
  // A time to come is that of a machine with another clock, or of a camera.
  const youngest = Math.min(...ages.filter((ageMs) => ageMs >= 0), settleMs);
  return settleMs - youngest;
}

function checkSize(size: bigint, maxBytes: number): void {
  if (size <= BigInt(maxBytes)) return;
  throw new TagProblem(
    `it has ${size} bytes; files up to ${maxBytes} are looked at (LYNCEUS_DROP_MAX_FILE_BYTES)`,
    { isLasting: true },
  );
}
