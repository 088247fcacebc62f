import type { Readable } from 'node:stream';
import { ServiceError } from '../errors/service-error.js';

/**
 * Hands every chunk of a stream to `take`, which may answer a promise to be waited for. Unlike `for await` it leaves
 * the stream open when it fails: a request's stream is also the way on which the client hears what was wrong.
 * Rejects with what `take` threw, with the signal's reason, or with `bad_request` when the stream broke off.
 */
export function readChunks(
  stream: Readable,
  take: (chunk: Buffer) => Promise<void> | undefined,
  signal: AbortSignal,
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
      detach();
      resolve();
    };
    const onTaken = () => {
      waiting = undefined;
      if (ended) onEnd();
      else stream.resume();
    };
    const onData = (chunk: Buffer) => {
      try {
        waiting = take(chunk);
      } catch (error) {
        fail(error);
        return;
      }
      if (waiting === undefined) return;
      stream.pause();
      waiting.then(onTaken, fail);
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
