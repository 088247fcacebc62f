import type { Readable } from 'node:stream';
import { ServiceError } from '../core/service-error.js';
import { decodeBase64, looksLikeBase64 } from './base64.js';
import { type Collected, type CollectOptions, collect } from './collect.js';
import { type HeldImage, holdCollected, holdInMemoryOrFile, imageMemoryMaxBytes } from './held-image.js';
import type { Spool } from './spool.js';

export interface PartLimits {
  readonly maxImageBytes: number;
  /** For an image as base64 text. */
  readonly maxTextBytes: number;
}

/** A part of a form that may be the image, as it came. */
export interface ReadPart {
  readonly collected: Collected;
  /** Whether it is base64 text. */
  readonly isText: boolean;
}

/** Reads a part to its end. Throws `file_too_large`, `service_busy` or the signal's reason. */
export async function readPart(
  stream: Readable,
  part: { readonly isFile: boolean; readonly transferEncoding: string },
  spool: Spool,
  limits: PartLimits,
  signal: AbortSignal,
): Promise<ReadPart> {
  const maxBytes = part.isFile ? limits.maxImageBytes : limits.maxTextBytes;
  const options: CollectOptions = {
    spool,
    memoryMaxBytes: imageMemoryMaxBytes,
    maxBytes,
    tooLarge: () => tooLarge(maxBytes),
    signal,
  };
  const collected = await collect(stream, options);
  const head = collected.kind === 'bytes' ? collected.bytes.subarray(0, 64) : collected.head;
  const isText = /^base64$/i.test(part.transferEncoding) || (!part.isFile && looksLikeBase64(head));
  return { collected, isText };
}

export function asText(bytes: Buffer): ReadPart {
  return { collected: { kind: 'bytes', size: bytes.length, bytes }, isText: true };
}

/** Throws `invalid_image_text`. */
export async function holdPart({ collected, isText }: ReadPart, spool: Spool): Promise<HeldImage> {
  if (isText && collected.kind === 'bytes') return holdText(collected.bytes, spool);
  return holdCollected(collected, isText ? 'base64' : 'binary');
}

export async function disposePart({ collected }: ReadPart): Promise<void> {
  if (collected.kind === 'file') await collected.file.dispose();
}

/** Of a part without a file name: what it says of itself is heeded in this alone. */
export function isFileType(type: string | undefined): boolean {
  return type === 'application/octet-stream' || type?.startsWith('image/') === true;
}

async function holdText(text: Buffer, spool: Spool): Promise<HeldImage> {
  const bytes = decodeBase64(text);
  if (bytes === undefined) {
    throw new ServiceError('invalid_image_text', 'the field image is neither a file nor base64 text');
  }
  return holdInMemoryOrFile(bytes, 'binary', spool);
}

export function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('file_too_large', `the file is larger than ${maxBytes} bytes`);
}
