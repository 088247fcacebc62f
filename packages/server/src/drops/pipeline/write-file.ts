import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { imageMediaType } from '@lynceus/engine';
import type { JobControl } from '../../jobs/job.js';
import type { Database } from '../../storage/database.js';
import type { Drop } from '../drop.js';
import type { FileBytes } from '../files/file-bytes.js';
import { type FilePart, partId } from '../files/file-parts.js';
import { type FileRow, insertEvent, updateFile } from '../files/file-rows.js';
import { chooseKeywords } from '../keywords/choose-keywords.js';
import type { Exiftool } from '../keywords/exiftool.js';
import { type FileKind, findFileKind } from '../keywords/file-kind.js';
import { readTags } from '../keywords/read-tags.js';
import { writeKeywords } from '../keywords/write-keywords.js';
import { labelsOf, toFindings } from './labels.js';
import type { Output } from './output.js';

export interface WriteDeps {
  readonly database: Database;
  readonly clock: () => number;
  readonly bytes: FileBytes;
  readonly exiftool: Exiftool;
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
  const { bytes, exiftool, maxFileBytes } = deps;
  const { keywords: settings } = drop.settings;
  const inputPath = await bytes.pathOf(row.id);
  const kind = known ?? (await findFileKind(exiftool, inputPath, signal));
  const outputPath = await bytes.pathOf(partId(row.id, 'image'));
  const keywords = chooseKeywords(toFindings(labelsOf(row)), settings);
  const request = { inputPath, kind, outputPath, keywords, rawFiles: settings.rawFiles, maxFileBytes };
  const written = await writeKeywords(exiftool, request, signal);
  const made = written.outputs.map(({ role }): FilePart => role);
  const image = made.includes('image') ? 'image' : 'original';
  const sidecar = made.includes('sidecar')
    ? [await describe(bytes, row.id, 'sidecar', 'application/rdf+xml')]
    : [];
  const output = {
    files: [...sidecar, await describe(bytes, row.id, image, mediaTypeOf(kind))],
    field: written.field,
    keywords: [...written.keywords],
    added: [...written.added],
    takenMs: await readTakenMs(exiftool, inputPath, row, signal),
  };
  await recordOutput(deps, row, output, fence);
}

/** For what is no image and is sent on all the same. */
export async function writeAsItIs(
  deps: Omit<WriteDeps, 'exiftool' | 'maxFileBytes'>,
  row: FileRow,
  fence: JobControl['fence'],
): Promise<void> {
  const file = await describe(deps.bytes, row.id, 'original', 'application/octet-stream');
  const output = { files: [file], field: null, keywords: [], added: [], takenMs: row.created_at };
  await recordOutput(deps, row, output, fence);
}

async function recordOutput(
  { database, clock }: Pick<WriteDeps, 'database' | 'clock'>,
  { id, account_id, state, modified_at }: FileRow,
  output: Output,
  fence: JobControl['fence'],
): Promise<void> {
  const change = {
    state: 'written',
    output: JSON.stringify(output),
    failing_since: null,
    error: null,
  } as const;
  const detail = output.field === null ? 'nothing' : `${output.added.length} keywords (${output.field})`;
  await database.write([
    updateFile(database, id, [state], change).where('modified_at', '=', modified_at),
    insertEvent(database, account_id, { fileId: id, at: clock(), what: 'written', detail }),
    ...fence,
  ]);
}

async function describe(
  bytes: FileBytes,
  fileId: string,
  part: Output['files'][number]['part'],
  mediaType: string,
): Promise<Output['files'][number]> {
  const id = partId(fileId, part);
  const hash = createHash('sha256');
  await pipeline(createReadStream(await bytes.pathOf(id)), hash);
  return { part, mediaType, sizeBytes: await bytes.sizeOf(id), sha256: hash.digest('hex') };
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
