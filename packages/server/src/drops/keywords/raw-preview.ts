import { mkdtemp, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { settleFile, syncFolder } from '../../storage/durable-folder.js';
import { hasRoomFor } from './disk-room.js';
import type { Exiftool } from './exiftool.js';
import { KeywordError } from './keyword-error.js';
import { readTags } from './read-tags.js';

interface PreviewRequest {
  /** Absolute; a raw file by its content (`findFileKind`). */
  readonly inputPath: string;
  /** Absolute; the preview is written there, as JPEG. */
  readonly outputPath: string;
  /** Above which a preview is passed over for a smaller one. */
  readonly maxBytes: number;
}

interface RawPreview {
  /** exiftool's name of the tag, such as `IFD0:PreviewImage`. */
  readonly tag: string;
  /** EXIF's, 1 to 8: how the preview is to be turned. It stands in the written file too. */
  readonly orientation: number;
}

/** Where cameras keep images, each a JPEG. */
const previewTags = ['JpgFromRaw', 'JpgFromRaw2', 'PreviewImage', 'OtherImage', 'ThumbnailImage'];

/** On a thumbnail, recognition would give wrong answers that look right. */
const minLongSidePx = 1000;

/**
 * Takes the largest JPEG out of a raw file. The raw file's orientation is written into it where it has none of its own.
 * Throws `KeywordError` 'no-preview' where none is 1,000 pixels long, 'damaged', and as `Exiftool.run`.
 */
export async function takeRawPreview(
  exiftool: Exiftool,
  { inputPath, outputPath, maxBytes }: PreviewRequest,
  signal: AbortSignal,
): Promise<RawPreview> {
  const workDir = await mkdtemp(join(dirname(outputPath), '.preview-'));
  try {
    const source = join(workDir, 'source');
    await symlink(inputPath, source);
    const wanted = ['-n', '-Orientation', ...previewTags.map((tag) => `-${tag}`)];
    const tags = await readTags(exiftool, source, wanted, signal);
    const candidates = tags
      .matching(/./)
      .map(([tag, text]) => ({ tag, bytes: binaryBytes(text) }))
      .filter(({ bytes }) => bytes > 0)
      .sort((one, other) => other.bytes - one.bytes);
    const [largest] = candidates.filter(({ bytes }) => bytes <= maxBytes);
    if (!largest) throw noPreview(candidates.length > 0 ? `none of at most ${maxBytes} bytes` : 'none');
    const preview = join(workDir, 'preview.jpg');
    // `%d` is exiftool's own word for the source's folder: a folder's name with a percent sign in it would be expanded.
    await exiftool.run(['-b', `-${largest.tag}`, '-W', '%dpreview.jpg', source], signal);
    await checkSize(preview, largest.bytes);
    const orientation = readOrientation(tags.first('IFD0:Orientation')) ?? 1;
    const own = await readPreview(exiftool, preview, signal);
    if (own === null && orientation !== 1) {
      const orient = ['-n', `-IFD0:Orientation=${orientation}`, '-overwrite_original', preview];
      const [error] = (await exiftool.run(orient, signal)).errors;
      if (error !== undefined && !(await hasRoomFor(preview, join(workDir, 'probe')))) throw diskFullError();
      if (error !== undefined) throw noPreview(`one that cannot be turned: ${error}`);
    }
    await settleFile(preview);
    signal.throwIfAborted();
    await rename(preview, outputPath);
    await syncFolder(dirname(outputPath));
    return { tag: largest.tag, orientation: own ?? orientation };
  } finally {
    await rm(workDir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Its own orientation; null when it tells none. Throws 'no-preview' when it is no JPEG, or too small. */
async function readPreview(exiftool: Exiftool, path: string, signal: AbortSignal): Promise<number | null> {
  const wanted = ['-n', '-File:FileType', '-File:ImageWidth', '-File:ImageHeight', '-IFD0:Orientation'];
  const tags = await readTags(exiftool, path, wanted, signal);
  if (tags.first('File:FileType') !== 'JPEG') throw noPreview('none that is a JPEG');
  const [width, height] = [Number(tags.first('File:ImageWidth')), Number(tags.first('File:ImageHeight'))];
  if (!(Math.max(width, height) >= minLongSidePx)) {
    throw noPreview(
      `the largest has ${width}x${height} pixels, and ${minLongSidePx} along one side are needed`,
    );
  }
  return readOrientation(tags.first('IFD0:Orientation')) ?? null;
}

/** exiftool tells of no error where the disk had no room for all of it. */
async function checkSize(path: string, bytes: number): Promise<void> {
  const written = await stat(path).catch(() => ({ size: 0 }));
  if (written.size !== bytes) throw diskFullError();
}

function diskFullError(): KeywordError {
  return new KeywordError('failed', "the raw file's preview could not be written to the disk");
}

function noPreview(found: string): KeywordError {
  return new KeywordError(
    'no-preview',
    `the raw file has no embedded image to look at (${found}); send a JPEG beside it, or set the camera to embed one`,
  );
}

/** From `(Binary data 12345 bytes, use -b option to extract)`; 0 for anything else. */
function binaryBytes(text: string): number {
  return Number(/^\(Binary data (\d+) bytes/.exec(text)?.[1] ?? 0);
}

function readOrientation(value: string | undefined): number | undefined {
  return value !== undefined && /^[1-8]$/.test(value) ? Number(value) : undefined;
}
