import type { ImageSource } from '@lynceus/engine';
import { ServiceError } from '../core/service-error.js';
import type { Collected } from './collect.js';
import type { Spool, SpoolFile } from './spool.js';

/**
 * Images up to this size travel in the message to the inference process; larger ones as a file. At saturation a file
 * in shared memory costs a millisecond of CPU less for 80 kB than the message does: both ends copy and collect.
 */
export const imageMemoryMaxBytes = 16 * 1024;

/** An encoded image and whatever it occupies. Whoever holds it disposes of it, whatever happens. */
export interface HeldImage {
  readonly source: ImageSource;
  /** Bytes as they are held, so a third more than the image's own when they are base64. */
  readonly size: number;
  /** Deletes the file, if there is one. May be called more than once. */
  dispose(): Promise<void>;
}

/** Of base64 text so much may be line breaks, two characters after each 76 (RFC 2045). */
const shareOfBreaks = 2 / 78;

/** Throws `file_too_large`. Base64 that is still to be decoded is judged by the least it can stand for. */
export function checkImageBytes({ source, size }: HeldImage, maxBytes: number): void {
  const bytes = source.encoding === 'base64' ? (size * (1 - shareOfBreaks) * 3) / 4 : size;
  if (bytes <= maxBytes) return;
  throw new ServiceError('file_too_large', `the image is larger than ${maxBytes} bytes`);
}

export function holdCollected(collected: Collected, encoding: 'binary' | 'base64'): HeldImage {
  const { size } = collected;
  if (collected.kind === 'bytes') return holdBytes(collected.bytes, encoding);
  const { file } = collected;
  return { source: { kind: 'file', path: file.path, encoding }, size, dispose: () => file.dispose() };
}

export function holdBytes(bytes: Uint8Array, encoding: 'binary' | 'base64'): HeldImage {
  return {
    source: { kind: 'bytes', bytes, encoding },
    size: bytes.byteLength,
    dispose: async () => undefined,
  };
}

/** Holds bytes that are in memory already, in a file when they are many: that is cheaper than sending them. */
export async function holdInMemoryOrFile(
  bytes: Uint8Array,
  encoding: 'binary' | 'base64',
  spool: Spool,
): Promise<HeldImage> {
  if (bytes.byteLength <= imageMemoryMaxBytes) return holdBytes(bytes, encoding);
  const file = await spoolBytes(bytes, spool);
  return holdCollected({ kind: 'file', size: bytes.byteLength, head: Buffer.alloc(0), file }, encoding);
}

/** Writes bytes into a file of the spool. On failure nothing is left behind. */
export async function spoolBytes(bytes: Uint8Array, spool: Spool): Promise<SpoolFile> {
  const file = await spool.createFile();
  try {
    await file.append([bytes]);
    await file.close();
    return file;
  } catch (error) {
    await file.dispose();
    throw error;
  }
}
