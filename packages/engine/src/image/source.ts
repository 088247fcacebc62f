import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { EngineError } from '../errors.js';
import { decodeBase64 } from './base64.js';
import type { ImageSource } from './image.js';

/** Far above any accepted image; keeps a wrong path from filling the memory. */
const maxFileBytes = 512 * 1024 * 1024;

/**
 * The encoded image's bytes, decoded from base64. Files are read whole, so that the checked bytes are the
 * decoded bytes, even when the file changes meanwhile.
 */
export function readSource(source: ImageSource): Uint8Array {
  const bytes = source.kind === 'bytes' ? source.bytes : readImageFile(source.path, refuseHuge);
  if (source.encoding !== 'base64') return bytes;
  const decoded = decodeBase64(bytes);
  if (decoded !== undefined) return decoded;
  throw new EngineError('base64-invalid', 'the image is not base64 text');
}

function refuseHuge(bytes: number): void {
  if (bytes <= maxFileBytes) return;
  throw new EngineError('image-too-large', `the file has ${bytes} bytes; at most ${maxFileBytes} are read`);
}

/**
 * Reads a regular file whole, without the thread pool: this process has nothing else to do meanwhile, and most files are
 * in the page cache.
 * @param checkBytes Throws for a size of the file that is refused, before anything is read.
 */
export function readImageFile(path: string, checkBytes: (bytes: number) => void): Buffer {
  try {
    const file = openSync(path, 'r');
    try {
      const stat = fstatSync(file);
      if (!stat.isFile()) throw new EngineError('image-unsupported', 'the image is not a regular file');
      checkBytes(stat.size);
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    if (code === 'ENOENT') throw new EngineError('image-empty', 'the image file is gone', { cause: error });
    throw new EngineError('internal', `the image file cannot be read: ${code}`, { cause: error });
  }
}
