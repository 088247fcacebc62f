import type { Readable } from 'node:stream';
import type { ImageSource } from '@lynceus/engine';
import type { ServiceError } from '../core/service-error.js';
import { readBlocks } from './read-body.js';
import type { Spool, SpoolFile } from './spool.js';

/**
 * Images up to this size travel in the message to the inference process; larger ones as a file. At saturation a file
 * in shared memory costs a millisecond of CPU less for 80 kB than the message does: both ends copy and collect.
 */
export const imageMemoryMaxBytes = 16 * 1024;

/** An encoded image, or a body with one in it, and whatever it occupies. Its holder disposes of it, whatever happens. */
export interface HeldImage {
  readonly source: ImageSource;
  /** Bytes as they are held, so a third more than the image's own when they are base64. */
  readonly size: number;
  /** Deletes the file, if there is one. May be called more than once. */
  dispose(): Promise<void>;
}

export function holdBytes(bytes: Uint8Array): HeldImage {
  return { source: { kind: 'bytes', bytes }, size: bytes.byteLength, dispose: async () => undefined };
}

/** Of a file whose bytes are all written. */
export function holdFile(file: SpoolFile, size: number): HeldImage {
  return { source: { kind: 'file', path: file.path }, size, dispose: () => file.dispose() };
}

/** Holds bytes that are in memory already, in a file when they are many: that is cheaper than sending them. */
export async function holdInMemoryOrFile(bytes: Uint8Array, spool: Spool): Promise<HeldImage> {
  if (bytes.byteLength <= imageMemoryMaxBytes) return holdBytes(bytes);
  return holdFile(await spoolBytes(bytes, spool), bytes.byteLength);
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

export interface CollectOptions {
  readonly spool: Spool;
  /** Bytes above which the rest goes to a file. */
  readonly memoryMaxBytes: number;
  readonly maxBytes: number;
  readonly tooLarge: () => ServiceError;
  readonly signal: AbortSignal;
}

/** Bytes from which a file is worth a write of its own. */
const writeBytes = 256 * 1024;

/** What a stream held, and its first bytes, by which its kind is known. */
type Collected = HeldImage & { readonly head: Buffer };

/**
 * Reads a stream to its end: into memory when it is short, else into a file. What is held of it meanwhile counts in the budget
 * of the spool. On failure nothing is left behind, and the stream is paused and still open.
 */
export async function collect(stream: Readable, options: CollectOptions): Promise<Collected> {
  let size = 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let head = Buffer.alloc(0);
  const spooled: { file: SpoolFile | undefined } = { file: undefined };
  // A body that comes slowly is held in memory for a minute, and so are as many as there are connections.
  const inMemory = options.spool.holdInMemory();

  const flush = async () => {
    const chunks = pending;
    pending = [];
    pendingBytes = 0;
    inMemory.release();
    spooled.file ??= await options.spool.createFile();
    await spooled.file.append(chunks);
  };
  const take = (chunk: Buffer) => {
    if (size === 0) head = Buffer.from(chunk.subarray(0, 64));
    size += chunk.byteLength;
    if (size > options.maxBytes) throw options.tooLarge();
    inMemory.reserve(chunk.byteLength);
    pending.push(chunk);
    pendingBytes += chunk.byteLength;
    if (size <= options.memoryMaxBytes) return undefined;
    return spooled.file === undefined || pendingBytes >= writeBytes ? flush() : undefined;
  };

  let flushing: Promise<void> | undefined;
  try {
    await readBlocks(
      stream,
      (chunk) => {
        flushing = take(chunk);
        return flushing;
      },
      options.signal,
    );
    const { file } = spooled;
    if (file === undefined) {
      const only = pending.length === 1 ? pending[0] : undefined;
      return { ...holdBytes(only ?? Buffer.concat(pending, size)), head };
    }
    if (pendingBytes > 0) await flush();
    await file.close();
    return { ...holdFile(file, size), head };
  } catch (error) {
    // A write under way may still be about to make the file.
    await flushing?.catch(() => undefined);
    await spooled.file?.dispose();
    throw error;
  } finally {
    inMemory.release();
  }
}
