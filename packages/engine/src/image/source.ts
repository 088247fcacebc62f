import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { EngineError } from '../errors.js';
import { decodeBase64 } from './base64.js';
import type { PictureSource } from './picture.js';

/** No accepted picture of sane size comes near; keeps a wrong path from filling the memory. */
const maxFileBytes = 512 * 1024 * 1024;

/**
 * The encoded picture's bytes, base64 taken off. Files are read whole, so that the bytes that were checked are the
 * bytes that are decoded, whatever happens to the file meanwhile.
 */
export function readSource(source: PictureSource): Uint8Array {
  const bytes = source.kind === 'bytes' ? source.bytes : readPictureFile(source.path);
  if (source.encoding !== 'base64') return bytes;
  return decodeBase64(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
}

/** Without the thread pool: this process has nothing else to do meanwhile, and most files lie in memory. */
function readPictureFile(path: string): Buffer {
  try {
    const file = openSync(path, 'r');
    try {
      const stat = fstatSync(file);
      if (!stat.isFile()) throw new EngineError('picture-unsupported', 'the picture is not a regular file');
      if (stat.size > maxFileBytes) {
        throw new EngineError(
          'picture-too-large',
          `the file has ${stat.size} bytes; at most ${maxFileBytes} are read`,
        );
      }
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    if (code === 'ENOENT')
      throw new EngineError('picture-empty', 'the picture file is gone', { cause: error });
    throw new EngineError('internal', `the picture file cannot be read: ${code}`, { cause: error });
  }
}
