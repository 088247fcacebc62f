import { open } from 'node:fs/promises';
import { EngineError, type ImageKind, identifyImage } from '@lynceus/engine';
import type { Exiftool } from './exiftool.js';
import { readTags } from './read-tags.js';

export type FileKind =
  /** What every operation accepts as it is. */
  | { readonly kind: 'image'; readonly image: ImageKind }
  /** Looked at by its embedded preview. `type` is exiftool's name, such as `CR2`; null when only that it is raw is known. */
  | { readonly kind: 'raw'; readonly type: string | null }
  /** An XMP file beside an image. It is an image's by its name, and never found by content. */
  | { readonly kind: 'sidecar' }
  /** Not an image; `reason` says what it is instead. */
  | { readonly kind: 'other'; readonly reason: string };

/** Enough for the engine's signatures. */
const headBytes = 256;

/**
 * Tells what a file is by its content alone; its name does not count. Only what may be a raw file is shown to exiftool.
 * A damaged file keeps the kind that it begins as. Throws as `Exiftool.run`, and errors of reading.
 */
export async function findFileKind(exiftool: Exiftool, path: string, signal: AbortSignal): Promise<FileKind> {
  const head = await readHead(path);
  const seen = identify(head);
  const isTiff = seen.kind === 'image' && seen.image === 'tiff';
  if (!isTiff && !beginsAsRaw(head.toString('latin1'))) return seen;
  const tags = await readTags(exiftool, path, rawTags, signal);
  const type = tags.first('File:FileType');
  if (type !== undefined && rawTypes.has(type)) return { kind: 'raw', type };
  return isTiff && tags.values(/:(PhotometricInterpretation|Compression)$/).some((code) => rawCodes.has(code))
    ? { kind: 'raw', type: null }
    : seen;
}

/** What a file may be by its beginning; a TIFF may be raw as well. Null for anything else. Throws errors of reading. */
export async function readLikelyKind(path: string): Promise<'image' | 'raw' | null> {
  const head = await readHead(path);
  if (identify(head).kind === 'image') return 'image';
  return beginsAsRaw(head.toString('latin1')) ? 'raw' : null;
}

/** The kind of image that a file begins as; null for anything else. A TIFF may be a raw file. Throws errors of reading. */
export async function readImageKind(path: string): Promise<ImageKind | null> {
  const seen = identify(await readHead(path));
  return seen.kind === 'image' ? seen.image : null;
}

const rawTags = ['-n', '-fast', '-File:FileType', '-EXIF:PhotometricInterpretation', '-EXIF:Compression'];

/** exiftool's names of raw formats that it tells by content. */
const rawTypes = new Set(
  '3FR ARW CR2 CR3 CRW DCR DNG ERF FFF GPR IIQ K25 KDC MEF MOS MRW NEF NRW ORF PEF RAF RAW RW2 RWL SR2 SRF SRW X3F'.split(
    ' ',
  ),
);

/**
 * In a TIFF without a name that tells more: mosaics of a sensor (colour filter array 32803, linear raw 34892), and the
 * compressions of Sony 32767, Samsung 32770 and 32772, Nikon 34713, Kodak 65000 and Pentax 65535.
 */
const rawCodes = new Set('32803 34892 32767 32770 32772 34713 65000 65535'.split(' '));

function beginsAsRaw(head: string): boolean {
  return (
    head.startsWith('FUJIFILMCCD-RAW') ||
    /^(IIU\0|IIR[OS]|MMOR|FOVb|\0MRM)/.test(head) ||
    head.startsWith('HEAPCCDR', 6) ||
    head.startsWith('ftypcrx ', 4)
  );
}

function identify(head: Buffer): FileKind {
  try {
    return { kind: 'image', image: identifyImage(head) };
  } catch (error) {
    if (error instanceof EngineError) return { kind: 'other', reason: error.message };
    throw error;
  }
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
