import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { imageMediaType } from '@lynceus/engine';
import type { JobControl } from '../../jobs/job.js';
import type { Database } from '../../storage/database.js';
import type { Drop } from '../drop.js';
import { type FileBytes, withDraft, withHeld } from '../files/file-bytes.js';
import { partId } from '../files/file-parts.js';
import { type FileRow, insertEvent, updateFile } from '../files/file-rows.js';
import { chooseKeywords } from '../keywords/choose-keywords.js';
import type { Exiftool, RunningExiftool } from '../keywords/exiftool.js';
import { type FileKind, findFileKind } from '../keywords/file-kind.js';
import { readTags } from '../keywords/read-tags.js';
import { writeKeywords } from '../keywords/write-keywords.js';
import { labelsOf, toFindings } from './labels.js';
import type { Output } from './output.js';

export interface WriteDeps {
  readonly database: Database;
  readonly clock: () => number;
  readonly bytes: FileBytes;
  readonly exiftool: Pick<RunningExiftool, 'of'>;
  readonly maxFileBytes: number;
}

/**
 * Writes the keywords of what was found: into a copy of the file, or beside it.
 * @param known the file's kind; null where this attempt has not determined it
 */
export async function writeFileKeywords(
  deps: WriteDeps,
  drop: Drop,
  row: FileRow,
  known: FileKind | null,
  { signal, fence }: Pick<JobControl, 'signal' | 'fence'>,
): Promise<void> {
  const { bytes, maxFileBytes } = deps;
  const exiftool = deps.exiftool.of(row.account_id);
  const { keywords: settings } = drop.settings;
  const output = await withHeld(bytes, row.id, async (inputPath) => {
    const kind = known ?? (await findFileKind(exiftool, inputPath, signal));
    const keywords = chooseKeywords(toFindings(labelsOf(row)), settings);
    return withDraft(bytes, partId(row.id, 'image'), async (draft): Promise<Output> => {
      const { path: outputPath } = draft;
      const request = { inputPath, kind, outputPath, keywords, rawFiles: settings.rawFiles, maxFileBytes };
      const { field, outputs, ...written } = await writeKeywords(exiftool, request, signal);
      const pathOf = (role: 'image' | 'sidecar') => outputs.find((each) => each.role === role)?.path;
      const [imagePath, sidecarPath] = [pathOf('image'), pathOf('sidecar')];
      const image = imagePath === undefined ? 'original' : 'image';
      const files = [
        ...(sidecarPath === undefined ? [] : [await describe(sidecarPath, 'sidecar', 'application/rdf+xml')]),
        await describe(imagePath ?? inputPath, image, mediaTypeOf(kind)),
      ];
      const takenMs = await readTakenMs(exiftool, inputPath, row, signal);
      for (const { role, path } of outputs) await draft.keep(partId(row.id, role), path, fence);
      return { files, field, keywords: [...written.keywords], added: [...written.added], takenMs };
    });
  });
  await recordOutput(deps, row, output, fence);
}

/**
 * For what cannot get keywords and is sent on all the same. Programs that might crash on the file do not read it again.
 * @param reason why it gets none; for its owner
 * @returns false where its client took it back meanwhile
 */
export async function writeAsItIs(
  deps: Pick<WriteDeps, 'database' | 'clock' | 'bytes'>,
  row: FileRow,
  reason: string,
  fence: JobControl['fence'],
): Promise<boolean> {
  const file = await withHeld(deps.bytes, row.id, (path) =>
    describe(path, 'original', 'application/octet-stream'),
  );
  const output = { files: [file], field: null, keywords: [], added: [], reason, takenMs: row.created_at };
  return recordOutput(deps, row, output, fence);
}

/** Answers whether the file was still as it was looked at. */
async function recordOutput(
  { database, clock }: Pick<WriteDeps, 'database' | 'clock'>,
  { id, account_id, state, modified_at }: FileRow,
  output: Output,
  fence: JobControl['fence'],
): Promise<boolean> {
  const change = {
    state: 'written',
    output: JSON.stringify(output),
    failing_since: null,
    error: null,
  } as const;
  const nothing = output.reason === undefined ? 'nothing' : `nothing: ${output.reason}`;
  const detail = output.field === null ? nothing : `${output.added.length} keywords (${output.field})`;
  const [written] = await database.write([
    updateFile(database, id, [state], change).where('modified_at', '=', modified_at),
    insertEvent(database, account_id, { fileId: id, at: clock(), what: 'written', detail }),
    ...fence,
  ]);
  return written?.changes === 1;
}

async function describe(
  path: string,
  part: Output['files'][number]['part'],
  mediaType: string,
): Promise<Output['files'][number]> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const piece of createReadStream(path)) {
    hash.update(piece);
    sizeBytes += piece.length;
  }
  return { part, mediaType, sizeBytes, sha256: hash.digest('hex') };
}

function mediaTypeOf(kind: FileKind): string {
  return kind.kind === 'image' ? imageMediaType(kind.image) : 'application/octet-stream';
}

/** By the camera's clock, taken as UTC: it has no other. */
async function readTakenMs(
  exiftool: Exiftool,
  path: string,
  row: FileRow,
  signal: AbortSignal,
): Promise<number> {
  const tags = await readTags(exiftool, path, ['-fast', '-EXIF:DateTimeOriginal'], signal);
  const match = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)/.exec(
    tags.values(/:DateTimeOriginal$/)[0] ?? '',
  );
  const taken = match
    ? Date.parse(`${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:${match[6]}Z`)
    : Number.NaN;
  return Number.isNaN(taken) ? row.created_at : taken;
}
