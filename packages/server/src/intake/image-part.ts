import type { Readable } from 'node:stream';
import { decodeBase64 } from '@lynceus/engine';
import { ServiceError } from '../core/service-error.js';
import { collect, type HeldImage, holdInMemoryOrFile, imageMemoryMaxBytes } from './held-image.js';
import type { Spool } from './spool.js';

export interface PartLimits {
  readonly maxImageBytes: number;
  /** For an image as base64 text. */
  readonly maxTextBytes: number;
}

/**
 * Reads a part of a form that may be the image, as it came: what is base64 text says so as its encoding. Throws
 * `file_too_large`, `service_busy` or the signal's reason.
 */
export async function readPart(
  stream: Readable,
  part: { readonly isFile: boolean; readonly transferEncoding: string },
  spool: Spool,
  limits: PartLimits,
  signal: AbortSignal,
): Promise<HeldImage> {
  const maxBytes = part.isFile ? limits.maxImageBytes : limits.maxTextBytes;
  const { head, ...held } = await collect(stream, {
    spool,
    memoryMaxBytes: imageMemoryMaxBytes,
    maxBytes,
    tooLarge: () => tooLarge(maxBytes),
    signal,
  });
  const isText = /^base64$/i.test(part.transferEncoding) || (!part.isFile && looksLikeBase64(head));
  return isText ? asText(held) : held;
}

/** Of the same bytes, that they are base64 text. */
export function asText(held: HeldImage): HeldImage {
  return { ...held, source: { ...held.source, encoding: 'base64' } };
}

/** Decodes a short text at once; a long one is left to the inference process. Throws `invalid_image_text`. */
export async function decodePart(part: HeldImage, spool: Spool): Promise<HeldImage> {
  const { source } = part;
  if (source.encoding !== 'base64' || source.kind !== 'bytes') return part;
  const bytes = decodeBase64(source.bytes);
  if (bytes === undefined) {
    throw new ServiceError('invalid_image_text', 'the field image is neither a file nor base64 text');
  }
  return holdInMemoryOrFile(bytes, spool);
}

/** Whether a form field's first bytes look like base64 text; those of every kind of image hold some that do not. */
export function looksLikeBase64(head: Uint8Array): boolean {
  const text = Buffer.from(head).toString('latin1');
  return /^\s*data:/i.test(text) || /^[A-Za-z0-9+/=_\s-]+$/.test(text);
}

/** Of a part without a file name: what it says of itself counts in this alone. */
export function isFileType(type: string | undefined): boolean {
  return type === 'application/octet-stream' || type?.startsWith('image/') === true;
}

export function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('file_too_large', `the file is larger than ${maxBytes} bytes`);
}
