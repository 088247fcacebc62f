import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Exiftool } from '../drops/keywords/exiftool.js';
import type { FileKind } from '../drops/keywords/file-kind.js';
import type { KeywordSettings } from '../drops/keywords/keyword-settings.js';
import { keywordTarget } from '../drops/keywords/metadata-target.js';
import { fullSidecarName, receivedSidecarNames, sidecarName } from '../drops/keywords/sidecar-name.js';
import { type Written, writeKeywords } from '../drops/keywords/write-keywords.js';
import { isRawName } from '../storage/archive/image-name.js';
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

/** What was made of the image alone. */
export interface TaggedImage {
  /** Whether the keywords go beside the image: then the file is in `finishTagged`, which images of one sidecar do in turn. */
  readonly isBeside: boolean;
  readonly written: Written;
}

/** Writes keywords into a copy of an image, or into a new sidecar for it. Throws as `writeKeywords`. */
export async function writeTagged(
  exiftool: Exiftool,
  work: WorkFolder,
  request: TaggedRequest,
  signal: AbortSignal,
): Promise<TaggedImage> {
  const { kind, source: inputPath } = request;
  const written = await write(exiftool, work, request, { inputPath, kind }, signal);
  return { isBeside: written.field === 'sidecar', written };
}

/**
 * The file that is to take the place of another: with a sidecar that is there, a copy of it with the keywords. Null where all of
 * them are there. Throws as `writeKeywords`.
 */
export async function finishTagged(
  exiftool: Exiftool,
  work: WorkFolder,
  request: TaggedRequest,
  { isBeside, written }: TaggedImage,
  signal: AbortSignal,
): Promise<TaggedFile | null> {
  const { folder, image, source, stamp } = request;
  const { outputs, added } = written;
  const [output] = outputs;
  if (!isBeside) {
    return output ? { target: image, former: { path: source, stamp }, path: output.path, added } : null;
  }
  const sidecar = await findSidecar(folder, image);
  if (sidecar === null) {
    return output ? { target: newSidecarName(image), former: null, path: output.path, added } : null;
  }
  const path = work.at('sidecar.xmp');
  const found = await findIdentity(join(folder, sidecar));
  const former = { path, stamp: await takeSnapshot(join(folder, sidecar), found ?? stamp, path) };
  // It may hold what other programs know of the image: it gets the keywords, and keeps all else.
  const place = { inputPath: path, kind: { kind: 'sidecar' } } as const;
  const again = await write(exiftool, work, request, place, signal);
  const [updated] = again.outputs;
  return updated ? { target: sidecar, former, path: updated.path, added: again.added } : null;
}

function write(
  exiftool: Exiftool,
  work: WorkFolder,
  { keywords, rawFiles, maxFileBytes }: TaggedRequest,
  place: { readonly inputPath: string; readonly kind: FileKind },
  signal: AbortSignal,
): Promise<Written> {
  const request = { ...place, outputPath: work.at('written'), keywords, rawFiles, maxFileBytes };
  return writeKeywords(exiftool, request, signal);
}

/**
 * As drops name it, where Adobe's programs look for it. They look for none of a DNG, nor of what is no raw file: those get one that no
 * other image of the same stem shares, since a new sidecar takes the rest of the image's XMP over.
 */
function newSidecarName(image: string): string {
  return isRawName(image) && !isDngName(image) ? sidecarName(image) : fullSidecarName(image);
}

function isDngName(name: string): boolean {
  return /\.dng$/i.test(name);
}

/** Whether the sidecar that is called like a DNG without its ending is that of another raw file. */
async function isOfAnother(folder: string, sidecar: string, image: string): Promise<boolean> {
  if (!isDngName(image)) return false;
  const names = await readdir(folder);
  return names.some((name) => name !== image && isRawName(name) && sidecarName(name) === sidecar);
}

/** The sidecar that there is: under the name that darktable gives it, or under that of Adobe's programs. */
export async function findSidecar(folder: string, image: string): Promise<string | null> {
  const full = fullSidecarName(image);
  for (const name of receivedSidecarNames(image)) {
    if ((await findIdentity(join(folder, name))) === null) continue;
    if (name === full || !(await isOfAnother(folder, sidecarName(image), image))) return name;
  }
  return null;
}

/** Name of the file that will be written, as far as it is there: the image, or its sidecar. */
export async function findTarget({
  folder,
  image,
  kind,
  source,
  rawFiles,
}: Pick<TaggedRequest, 'folder' | 'image' | 'kind' | 'source' | 'rawFiles'>): Promise<string | null> {
  const isBeside =
    keywordTarget(kind, rawFiles)?.metadataTarget === 'sidecar' ||
    (kind.kind === 'image' && kind.image === 'tiff' && (await isBigTiff(source)));
  return isBeside ? findSidecar(folder, image) : image;
}

/** By its first bytes: the version of a TIFF is 42, and of a BigTIFF 43. */
async function isBigTiff(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return ['II+\0', 'MM\0+'].includes(buffer.toString('latin1'));
  } finally {
    await file.close();
  }
}

/** What a written file is on disk. */
export function stampWritten({ path }: Pick<TaggedFile, 'path'>): Promise<Stamp> {
  return stampOf(path);
}
