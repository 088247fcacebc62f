import type { Readable } from 'node:stream';
import { ServiceError } from '../core/service-error.js';
import type { ChunkPacker } from './chunk-packer.js';

/**
 * Hands every chunk of a stream to `take`, which may answer a promise to be waited for. Unlike `for await` it leaves
 * the stream open when it fails: a request's stream is also the way on which the client hears what was wrong.
 * Rejects with what `take` threw, with the signal's reason, or with `bad_request` when the stream broke off.
 * @param packer joins small chunks before they are handed over
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
      // A later error of the stream has nobody left to hear it and must not end the process.
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
    /** Else it failed, or goes on when it is taken. */
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
