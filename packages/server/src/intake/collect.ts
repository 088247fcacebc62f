import type { Readable } from 'node:stream';
import type { ServiceError } from '../core/service-error.js';
import { createChunkPacker } from './chunk-packer.js';
import { readChunks } from './read-chunks.js';
import type { Spool, SpoolFile } from './spool.js';

/** A stream's bytes: in memory when they are few, else in a file. */
export type Collected =
  | { readonly kind: 'bytes'; readonly size: number; readonly bytes: Buffer }
  | { readonly kind: 'file'; readonly size: number; readonly head: Buffer; readonly file: SpoolFile };

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

/**
 * Reads a stream to its end; what is held of it meanwhile counts in the budget of the spool. On failure nothing is left behind,
 * and the stream is paused and still open.
 */
export async function collect(stream: Readable, options: CollectOptions): Promise<Collected> {
  let size = 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let head: Buffer | undefined;
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
    head ??= chunk.subarray(0, 64);
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
    await readChunks(
      stream,
      (chunk) => {
        flushing = take(chunk);
        return flushing;
      },
      options.signal,
      createChunkPacker(),
    );
    const { file } = spooled;
    if (file === undefined) {
      const only = pending.length === 1 ? pending[0] : undefined;
      return { kind: 'bytes', size, bytes: only ?? Buffer.concat(pending, size) };
    }
    if (pendingBytes > 0) await flush();
    await file.close();
    return { kind: 'file', size, head: head === undefined ? Buffer.alloc(0) : Buffer.from(head), file };
  } catch (error) {
    // A write under way may still be about to make the file.
    await flushing?.catch(() => undefined);
    await spooled.file?.dispose();
    throw error;
  } finally {
    inMemory.release();
  }
}
