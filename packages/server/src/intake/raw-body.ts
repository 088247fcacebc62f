import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../core/service-error.js';
import { collect } from './collect.js';
import { type HeldImage, holdCollected, imageMemoryMaxBytes } from './held-image.js';
import type { Spool } from './spool.js';

/** Reads a body that is the image itself. Throws `file_too_large`, `service_busy`, `bad_request`, the signal's reason. */
export async function readRawImage(
  request: IncomingMessage,
  spool: Spool,
  maxBytes: number,
  signal: AbortSignal,
): Promise<HeldImage> {
  const tooLarge = () => new ServiceError('file_too_large', `the file is larger than ${maxBytes} bytes`);
  if (declaredBytes(request) > maxBytes) throw tooLarge();
  const collected = await collect(request, {
    spool,
    memoryMaxBytes: imageMemoryMaxBytes,
    maxBytes,
    tooLarge,
    signal,
  });
  return holdCollected(collected, 'binary');
}

/** What the head says that the body has; 0 where it does not say. */
export function declaredBytes(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}

export function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && Number(length) > 0);
}
