import { join } from 'node:path';
import type { Exiftool } from '../drops/keywords/exiftool.js';
import type { FileKind } from '../drops/keywords/file-kind.js';
import type { KeywordSettings } from '../drops/keywords/keyword-settings.js';
import { type Written, writeKeywords } from '../drops/keywords/write-keywords.js';
import { findIdentity, type Stamp, stampOf, takeSnapshot } from './stamp.js';
import type { WorkFolder } from './work-place.js';

export interface TaggedRequest {
  readonly folder: string;
  /** Name of the image in it. */
  readonly image: string;
  readonly kind: FileKind;
  /** A copy of the image that nothing changes. */
  readonly source: string;
  readonly stamp: Stamp;
  readonly keywords: readonly string[];
  readonly rawFiles: KeywordSettings['rawFiles'];
  readonly maxFileBytes: number;
}

/** A file that is to take the place of another, or to be made. */
export interface TaggedFile {
  /** Name in the folder of the image. */
  readonly target: string;
  /** Of what it is made from; null for a sidecar that is not there. */
  readonly former: { readonly path: string; readonly stamp: Stamp } | null;
  readonly path: string;
  readonly added: readonly string[];
}

/**
 * Writes keywords into a copy of an image, or into its sidecar: a copy of the one that there is, or a new one. Null where all of
 * them are there. Throws as `writeKeywords`.
 */
export async function writeTagged(
  exiftool: Exiftool,
  work: WorkFolder,
  request: TaggedRequest,
  signal: AbortSignal,
): Promise<TaggedFile | null> {
  const { folder, image, kind, source, stamp, keywords, rawFiles, maxFileBytes } = request;
  const write = (inputPath: string, fileKind: FileKind): Promise<Written> => {
    const place = { inputPath, kind: fileKind, outputPath: work.at('written') };
    return writeKeywords(exiftool, { ...place, keywords, rawFiles, maxFileBytes }, signal);
  };
  const { field, outputs, added } = await write(source, kind);
  const [output] = outputs;
  if (field === 'sidecar') {
    const sidecar = await findSidecar(folder, image, kind);
    if (sidecar !== null) {
      const path = work.at('sidecar.xmp');
      const found = await findIdentity(join(folder, sidecar));
      const former = { path, stamp: await takeSnapshot(join(folder, sidecar), found ?? stamp, path) };
      // It may hold what other programs know of the image: it gets the keywords, and keeps all else.
      const again = await write(path, { kind: 'sidecar' });
      const [updated] = again.outputs;
      return updated ? { target: sidecar, former, path: updated.path, added: again.added } : null;
    }
  }
  if (!output) return null;
  if (output.role === 'sidecar') {
    return { target: sidecarName(image), former: null, path: output.path, added };
  }
  return { target: image, former: { path: source, stamp }, path: output.path, added };
}

/** As drops name it, and darktable and digiKam: two files that differ in their endings have two. */
function sidecarName(image: string): string {
  return `${image}.xmp`;
}

/** The sidecar that there is. For raw files also under the name that Adobe's programs give it, without the ending of the image. */
async function findSidecar(folder: string, image: string, { kind }: FileKind): Promise<string | null> {
  const plain = image.replace(/\.[^.]+$/, '');
  const names = [
    sidecarName(image),
    ...(kind === 'raw' && plain !== '' ? [`${plain}.xmp`, `${plain}.XMP`] : []),
  ];
  for (const name of names) {
    if ((await findIdentity(join(folder, name))) !== null) return name;
  }
  return null;
}

/** What a written file is on disk. */
export function stampWritten({ path }: Pick<TaggedFile, 'path'>): Promise<Stamp> {
  return stampOf(path);
}
