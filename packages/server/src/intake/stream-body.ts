import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { ServiceError } from '../core/service-error.js';
import { readChunks } from './read-body.js';

interface StreamBodyOptions {
  readonly maxBytes: number;
  /** How long the client may send nothing while it is listened to. */
  readonly maxSilenceMs: number;
  readonly signal: AbortSignal;
}

/**
 * A body to be read piece by piece, no faster than it is taken. It fails with `file_too_large`, `request_timeout`,
 * `bad_request` when it broke off, or the signal's reason; the request's stream stays open for the answer.
 */
export function streamBody(
  request: IncomingMessage,
  { maxBytes, maxSilenceMs, signal }: StreamBodyOptions,
): Readable {
  const passThrough = new PassThrough();
  const stop = new AbortController();
  const silence = setTimeout(() => {
    // It is us whom the client waits for.
    if (passThrough.writableNeedDrain) silence.refresh();
    else stop.abort(new ServiceError('request_timeout', `nothing came for ${maxSilenceMs} ms`));
  }, maxSilenceMs);
  passThrough.once('close', () =>
    stop.abort(passThrough.errored ?? new Error('the body is read no further')),
  );
  // The reader gets the error; without one, it must not end the process.
  passThrough.on('error', () => undefined);

  let size = 0;
  const take = (chunk: Buffer): Promise<void> | undefined => {
    silence.refresh();
    size += chunk.byteLength;
    if (size > maxBytes)
      throw new ServiceError('file_too_large', `the body is larger than ${maxBytes} bytes`);
    if (passThrough.write(chunk)) return undefined;
    return once(passThrough, 'drain', { signal: stop.signal }).then(() => {
      silence.refresh();
    });
  };
  readChunks(request, take, AbortSignal.any([signal, stop.signal]))
    .then(
      () => passThrough.end(),
      (error: unknown) => passThrough.destroy(error instanceof Error ? error : new Error(String(error))),
    )
    .finally(() => clearTimeout(silence));
  return passThrough;
}
