import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ServiceError } from '../core/service-error.js';

export function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && Number(length) > 0);
}

/** How long a body is by the head of its request; 0 where that does not say. */
export function declaredBytes(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}

/**
 * Passes every chunk of a stream to `take`, which may return a promise to wait for. Unlike `for await` it leaves
 * the stream open when it fails: the answer to a request needs its connection.
 * Rejects with what `take` threw, with the signal's reason, or with `bad_request` when the stream broke off.
 * @param packer joins small chunks before they are passed on
 */
export function readChunks(
  stream: Readable,
  take: (chunk: Buffer) => Promise<void> | undefined,
  signal: AbortSignal,
  packer?: ChunkPacker,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let waiting: Promise<void> | undefined;
    let ended = false;

    const detach = () => {
      stream.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      // Without a listener, a later error of the stream would end the process.
      stream.on('error', ignore);
      signal.removeEventListener('abort', onAbort);
    };
    const fail = (error: unknown) => {
      detach();
      stream.pause();
      reject(error);
    };
    const onAbort = () => fail(signal.reason);
    const onClose = () => fail(new ServiceError('bad_request', 'the body broke off before its end'));
    const onEnd = () => {
      ended = true;
      // A stream that has ended closes by itself, perhaps while the last chunk is still being taken.
      stream.off('close', onClose);
      if (waiting !== undefined) return;
      const rest = packer?.rest();
      if (rest !== undefined && !isTakenAtOnce(rest)) return;
      detach();
      resolve();
    };
    const onTaken = () => {
      waiting = undefined;
      if (ended) onEnd();
      else stream.resume();
    };
    const onData = (chunk: Buffer) => {
      const block = packer ? packer.add(chunk) : chunk;
      if (block !== undefined) isTakenAtOnce(block);
    };
    /** Else it failed, or continues when it is taken. */
    const isTakenAtOnce = (block: Buffer): boolean => {
      try {
        waiting = take(block);
      } catch (error) {
        fail(error);
        return false;
      }
      if (waiting === undefined) return true;
      stream.pause();
      waiting.then(onTaken, fail);
      return false;
    };

    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    if (stream.readableEnded) {
      resolve();
      return;
    }
    if (stream.destroyed) {
      onClose();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    stream.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function ignore(): void {}

/** The same in blocks of some kilobytes, however small the chunks are. */
export function readBlocks(
  stream: Readable,
  take: (block: Buffer) => Promise<void> | undefined,
  signal: AbortSignal,
): Promise<void> {
  return readChunks(stream, take, signal, createChunkPacker());
}

/** Chunks below this are joined to blocks of about this size. */
const blockBytes = 4096;

/**
 * Joins small chunks. A client chooses how many chunks its body has, one for each byte if it likes, and a chunk costs some
 * hundred bytes of memory and a call: what a body costs must follow from its bytes alone.
 */
type ChunkPacker = ReturnType<typeof createChunkPacker>;

function createChunkPacker() {
  let block: Buffer | undefined;
  let filled = 0;
  const rest = () => {
    const packed = block?.subarray(0, filled);
    block = undefined;
    filled = 0;
    return packed;
  };
  return {
    /** What is full now; undefined while it is still small. */
    add(chunk: Buffer): Buffer | undefined {
      if (filled + chunk.byteLength >= blockBytes) {
        const before = rest();
        return before === undefined ? chunk : Buffer.concat([before, chunk]);
      }
      block ??= Buffer.allocUnsafe(blockBytes);
      filled += chunk.copy(block, filled);
      return undefined;
    },
    /** What is left; undefined when there is nothing. */
    rest,
  };
}
