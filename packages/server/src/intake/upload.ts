import type { IncomingMessage } from 'node:http';
import { type Form, readForm } from './form.js';
import { collect, type HeldImage, imageMemoryMaxBytes } from './held-image.js';
import { type PartLimits, tooLarge } from './image-part.js';
import { declaredBytes, hasBody } from './read-body.js';
import type { Spool } from './spool.js';

const empty: Form = { fields: {}, longFields: new Set(), image: undefined };

/**
 * Reads an upload: a form, or the image itself as the body. A body that says it is JSON or text is none, since some
 * clients send one beside an address; it is left unread. Throws `bad_request`, `file_too_large`, `service_busy`, or the
 * signal's reason.
 */
export async function readUpload(
  request: IncomingMessage,
  spool: Spool,
  limits: PartLimits,
  signal: AbortSignal,
): Promise<Form> {
  if (!hasBody(request)) return empty;
  const type = request.headers['content-type']?.trim().toLowerCase() ?? '';
  if (type.startsWith('multipart/') || type.startsWith('application/x-www-form-urlencoded')) {
    return readForm(request, spool, limits, signal);
  }
  if (isUnread(request)) return empty;
  return { ...empty, image: await readRawImage(request, spool, limits.maxImageBytes, signal) };
}

/** What is to be said to a client whose parameters or image may have been in a body that was left unread. */
export const ofUnread = 'a body of JSON or text is not read here: put parameters into the query or a form';

/** Whether a request has a body of JSON or text. */
export function isUnread(request: IncomingMessage): boolean {
  const type = request.headers['content-type']?.trim().toLowerCase() ?? '';
  return (type.startsWith('application/json') || type.startsWith('text/')) && hasBody(request);
}

/** A body that is the image itself. */
async function readRawImage(
  request: IncomingMessage,
  spool: Spool,
  maxBytes: number,
  signal: AbortSignal,
): Promise<HeldImage> {
  if (declaredBytes(request) > maxBytes) throw tooLarge(maxBytes);
  return collect(request, {
    spool,
    memoryMaxBytes: imageMemoryMaxBytes,
    maxBytes,
    tooLarge: () => tooLarge(maxBytes),
    signal,
  });
}
