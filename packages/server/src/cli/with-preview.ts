import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageSource } from '@lynceus/engine';
import type { Exiftool } from '../drops/keywords/exiftool.js';
import { findFileKind, readImageKind, readLikelyKind } from '../drops/keywords/file-kind.js';
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
  // exiftool, which needs perl, sees only what may be a raw file.
  const mayBeRaw = (await readLikelyKind(path)) === 'raw' || (await readImageKind(path)) === 'tiff';
  if (!mayBeRaw || (await findFileKind(exiftool, path, signal)).kind !== 'raw') {
    return work({ kind: 'file', path });
  }
  const folder = await mkdtemp(join(dir, 'preview-'));
  try {
    const outputPath = join(folder, 'preview.jpg');
    await takeRawPreview(exiftool, { inputPath: path, outputPath, maxBytes: maxImageBytes }, signal);
    return await work({ kind: 'file', path: outputPath });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
