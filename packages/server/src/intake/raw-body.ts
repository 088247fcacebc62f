import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors/service-error.js';
import { collect } from './collect.js';
import { type HeldPicture, holdCollected, pictureMemoryMaxBytes } from './held-picture.js';
import type { Spool } from './spool.js';

/** Reads a body that is the picture itself. Throws `file_too_large`, `service_busy`, `bad_request`, the signal's reason. */
export async function readRawPicture(
  request: IncomingMessage,
  spool: Spool,
  maxBytes: number,
  signal: AbortSignal,
): Promise<HeldPicture> {
  const tooLarge = () => new ServiceError('file_too_large', `the file is larger than ${maxBytes} bytes`);
  const collected = await collect(request, {
    spool,
    memoryMaxBytes: pictureMemoryMaxBytes,
    maxBytes,
    tooLarge,
    signal,
  });
  return holdCollected(collected, 'binary');
}

export function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && Number(length) > 0);
}
