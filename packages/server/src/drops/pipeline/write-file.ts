import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { imageMediaType } from '@lynceus/engine';
import type { JobControl } from '../../service/jobs/job.js';
import type { Database } from '../../storage/database.js';
import { settleFile } from '../../storage/durable-folder.js';
import type { Drop } from '../drop.js';
import { type FileBytes, withDraft, withHeld } from '../files/file-bytes.js';
import { partId, removeParts } from '../files/file-parts.js';
import { type FileRow, insertEvent, updateFile } from '../files/file-rows.js';
import { chooseKeywords } from '../keywords/choose-keywords.js';
import type { Exiftool, RunningExiftool } from '../keywords/exiftool.js';
import { type FileKind, findFileKind } from '../keywords/file-kind.js';
import { KeywordError } from '../keywords/keyword-error.js';
import { readTags } from '../keywords/read-tags.js';
import { type WriteRequest, type Written, writeKeywords } from '../keywords/write-keywords.js';
import { labelsOf, toFindings } from './labels.js';
import type { Output } from './output.js';
import { findReceivedSidecar, takeSidecarIn } from './received-sidecars.js';

export interface WriteDeps {
  readonly database: Database;
  readonly clock: () => number;
  readonly bytes: FileBytes;
  readonly exiftool: Pick<RunningExiftool, 'of'>;
  readonly maxFileBytes: number;
}

/**
 * Writes the keywords of what was found: into a copy of the file, or into a sidecar. A sidecar that its client sent for the image gets
 * them instead of a new one, and keeps all else.
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
  const { output, received } = await withHeld(bytes, row.id, async (inputPath) => {
    const kind = known ?? (await findFileKind(exiftool, inputPath, signal));
    const keywords = chooseKeywords(toFindings(labelsOf(row)), settings);
    return withDraft(bytes, partId(row.id, 'image'), async (draft) => {
      const { path: outputPath } = draft;
      const request = { inputPath, kind, outputPath, keywords, rawFiles: settings.rawFiles, maxFileBytes };
      const own = await writeKeywords(exiftool, request, signal);
      const united = own.field === 'sidecar' ? await writeReceived(deps, row, request, signal) : null;
      const { field, outputs, ...written } = united?.written ?? own;
      const pathOf = (role: 'image' | 'sidecar') => outputs.find((each) => each.role === role)?.path;
      const [imagePath, sidecarPath] = [pathOf('image'), pathOf('sidecar')];
      const image = imagePath === undefined ? 'original' : 'image';
      const files = [
        ...(sidecarPath === undefined ? [] : [await describe(sidecarPath, 'sidecar', sidecarMediaType)]),
        await describe(imagePath ?? inputPath, image, mediaTypeOf(kind)),
      ];
      const takenMs = await readTakenMs(exiftool, inputPath, row, signal);
      for (const { role, path } of outputs) await draft.keep(partId(row.id, role), path, fence);
      const output: Output = {
        ...{ files, field, keywords: [...written.keywords], added: [...written.added], takenMs },
        ...(united?.received.name.startsWith(`${row.name}.`) && { sidecarNaming: 'full' }),
      };
      return { output, received: united?.received ?? null };
    });
  });
  await recordOutput(deps, row, output, fence, received);
}

/** Adds the keywords to the sidecar that a client sent for an image. Null where there is none that can be written. */
async function writeReceived(
  deps: WriteDeps,
  row: FileRow,
  request: WriteRequest,
  signal: AbortSignal,
): Promise<{ readonly received: FileRow; readonly written: Written } | null> {
  const received = await findReceivedSidecar(deps, row);
  if (received === null) return null;
  const path = `${request.outputPath}.xmp`;
  try {
    return await withHeld(deps.bytes, received.id, async (inputPath) => {
      const beside = { ...request, kind: { kind: 'sidecar' }, inputPath, outputPath: path } as const;
      const written = await writeKeywords(deps.exiftool.of(row.account_id), beside, signal);
      if (written.outputs.length === 0) {
        await copyFile(inputPath, path);
        await settleFile(path);
      }
      return {
        received,
        written: { ...written, field: 'sidecar', outputs: [{ role: 'sidecar', path }] },
      };
    });
  } catch (error) {
    // A sidecar that cannot be written ends by itself, and the image gets one of ours.
    if (error instanceof KeywordError && error.code !== 'failed') return null;
    throw error;
  }
}

/**
 * Writes the keywords of an image into a sidecar that its client sent after them, for it to be delivered by itself.
 * @param keywords those that the image's own sidecar got
 */
export async function writeLateSidecar(
  deps: WriteDeps,
  drop: Drop,
  row: FileRow,
  { keywords, takenMs }: Pick<Output, 'keywords' | 'takenMs'>,
  { signal, fence }: Pick<JobControl, 'signal' | 'fence'>,
): Promise<void> {
  const { bytes, maxFileBytes } = deps;
  const output = await withHeld(bytes, row.id, (inputPath) =>
    withDraft(bytes, partId(row.id, 'image'), async (draft): Promise<Output> => {
      const { path: outputPath } = draft;
      const { rawFiles } = drop.settings.keywords;
      const request = {
        inputPath,
        kind: { kind: 'sidecar' },
        outputPath,
        keywords,
        rawFiles,
        maxFileBytes,
      } as const;
      const written = await writeKeywords(deps.exiftool.of(row.account_id), request, signal);
      const { outputs } = written;
      const [path = inputPath] = outputs.map((each) => each.path);
      const files = [await describe(path, outputs.length === 0 ? 'original' : 'image', sidecarMediaType)];
      for (const each of outputs) await draft.keep(partId(row.id, each.role), each.path, fence);
      return {
        ...{ files, field: 'sidecar', takenMs },
        ...{ keywords: [...written.keywords], added: [...written.added] },
      };
    }),
  );
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

/**
 * Returns whether the file was still as it was when its output was made.
 * @param sidecar the received sidecar that is part of the output
 */
async function recordOutput(
  { database, clock, bytes }: Pick<WriteDeps, 'database' | 'clock' | 'bytes'>,
  row: FileRow,
  output: Output,
  fence: JobControl['fence'],
  sidecar: FileRow | null = null,
): Promise<boolean> {
  const { id, account_id, state, modified_at } = row;
  const change = {
    state: 'written',
    output: JSON.stringify(output),
    failing_since: null,
    error: null,
  } as const;
  const nothing = output.reason === undefined ? 'nothing' : `nothing: ${output.reason}`;
  const where = sidecar === null ? output.field : `${output.field} that came as ${sidecar.name}`;
  const detail = output.field === null ? nothing : `${output.added.length} keywords (${where})`;
  const [written] = await database.write([
    updateFile(database, id, [state], change).where('modified_at', '=', modified_at),
    insertEvent(database, account_id, { fileId: id, at: clock(), what: 'written', detail }),
    ...(sidecar === null ? [] : takeSidecarIn(database, row, sidecar)),
    ...fence,
  ]);
  const isWritten = written?.changes === 1;
  if (isWritten && sidecar !== null && sidecar.state !== 'done') await removeParts(bytes, sidecar.id);
  return isWritten;
}

const sidecarMediaType = 'application/rdf+xml';

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
