import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ImageSource, isRawTiff } from '@lynceus/engine';
import type { Exiftool } from '../drops/keywords/exiftool.js';
import { findFileKind, readImageKind, readLikelyKind } from '../drops/keywords/file-kind.js';
import { KeywordError } from '../drops/keywords/keyword-error.js';
import { takeRawPreview } from '../drops/keywords/raw-preview.js';

export interface PreviewDeps {
  readonly exiftool: Exiftool;
  /** Folder for temporary files. */
  readonly dir: string;
  /** Above which a preview is passed over for a smaller one. */
  readonly maxImageBytes: number;
}

/**
 * Works with an image of this machine: of a raw file, with the largest image that is embedded in it. Throws `KeywordError` where that
 * cannot be taken, and errors of reading.
 */
export async function withPreview<T>(
  path: string,
  { exiftool, dir, maxImageBytes }: PreviewDeps,
  work: (source: ImageSource) => Promise<T>,
): Promise<T> {
  const signal = new AbortController().signal;
  if (!(await isRaw(exiftool, path, signal))) return work({ kind: 'file', path });
  const folder = await mkdtemp(join(dir, 'preview-'));
  try {
    const outputPath = join(folder, 'preview.jpg');
    await takeRawPreview(exiftool, { inputPath: path, outputPath, maxBytes: maxImageBytes }, signal);
    return await work({ kind: 'file', path: outputPath });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Throws `KeywordError` `unavailable` for a raw file where perl is missing, which other images do not need. */
async function isRaw(exiftool: Exiftool, path: string, signal: AbortSignal): Promise<boolean> {
  const isTiff = (await readImageKind(path)) === 'tiff';
  if (!isTiff && (await readLikelyKind(path)) !== 'raw') return false;
  try {
    return (await findFileKind(exiftool, path, signal)).kind === 'raw';
  } catch (error) {
    const isUnavailable = error instanceof KeywordError && error.code === 'unavailable';
    if (isTiff && isUnavailable && !isRawTiff(await readFile(path))) return false;
    throw error;
  }
}
