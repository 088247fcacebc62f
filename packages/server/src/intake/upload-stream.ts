import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { quote } from '../core/quote.js';
import { ServiceError } from '../core/service-error.js';
import { badForm, createFormParser, pumpForm } from './form-parser.js';
import { tooLarge } from './image-part.js';
import { declaredBytes, hasBody, readChunks } from './read-body.js';
import { untilDrained } from './until-drained.js';

/** What a form has beside its file; filled while it is read, and whole when the file has ended. */
export interface UploadFields {
  /** The first value of every field. */
  readonly fields: Record<string, string>;
  /** Of the file, as the form says. */
  fileName: string | null;
}

const maxFieldBytes = 64 * 1024;
const maxParts = 20;
const maxOverheadBytes = 1024 * 1024;

/**
 * The bytes of one large file as they come: the body itself, or the first file of a form. Nothing gathers in memory. Throws
 * `no_file`, `file_too_large`, `bad_request` or the signal's reason.
 */
export async function* readUploadStream(
  request: IncomingMessage,
  {
    maxBytes,
    signal,
    form,
  }: { readonly maxBytes: number; readonly signal: AbortSignal; readonly form?: UploadFields },
): AsyncGenerator<Buffer, void, undefined> {
  if (!hasBody(request))
    throw new ServiceError('no_file', 'no file: send it as the body, or as a file part of a form');
  if (declaredBytes(request) > maxBytes + maxOverheadBytes) throw tooLarge(maxBytes);
  const isForm = /^\s*multipart\//i.test(request.headers['content-type'] ?? '');
  const content = new PassThrough();
  // The iteration throws it.
  content.on('error', () => undefined);
  const feeding = (
    isForm ? feedForm(request, content, { maxBytes, signal, form }) : feedBody(request, content, signal)
  ).catch((error: unknown) => {
    content.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  let size = 0;
  try {
    for await (const chunk of content) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
    if (size === 0) throw new ServiceError('no_file', 'the file is empty');
  } finally {
    content.destroy();
    await feeding;
  }
}

async function feedBody(request: IncomingMessage, content: PassThrough, signal: AbortSignal): Promise<void> {
  const closed = new AbortController();
  content.once('close', () =>
    closed.abort(new ServiceError('bad_request', 'the rest of the body is not read')),
  );
  await readChunks(request, (chunk) => write(content, chunk), AbortSignal.any([signal, closed.signal]));
  content.end();
}

async function feedForm(
  request: IncomingMessage,
  content: PassThrough,
  {
    maxBytes,
    signal,
    form,
  }: {
    readonly maxBytes: number;
    readonly signal: AbortSignal;
    readonly form: UploadFields | undefined;
  },
): Promise<void> {
  const closed = new AbortController();
  const either = AbortSignal.any([signal, closed.signal]);
  const parser = createFormParser(request, { fieldSize: maxFieldBytes, maxParts });
  let hasFile = false;
  const failed = new Promise<never>((_, reject) => {
    content.once('close', () => {
      const reason = new ServiceError('bad_request', 'the rest of the form is not read');
      closed.abort(reason);
      reject(reason);
    });
    parser.on('error', (error) => reject(badForm(error)));
    // The types say string, but a part may have no name. What is thrown here ends the process.
    parser.on('field', (name: string | undefined, value, nameTruncated, valueTruncated) => {
      if (form === undefined || name === undefined) return;
      if (nameTruncated || valueTruncated)
        reject(
          new ServiceError('bad_request', `the field ${quote(name)} is larger than ${maxFieldBytes} bytes`),
        );
      else form.fields[name] ??= value;
    });
    // The types say string, but a part without a file name has none.
    parser.on('file', (_name, stream, fileName: string | undefined) => {
      if (hasFile) {
        stream.resume();
        return;
      }
      hasFile = true;
      if (form) form.fileName = fileName ?? null;
      // Its end counts once the form has come to its own: a form that breaks off ends the file as well.
      pipeline(stream, content, { end: false }).catch(reject);
    });
  });
  failed.catch(() => undefined);
  await Promise.race([
    failed,
    pumpForm(request, parser, { maxBytes: maxBytes + maxOverheadBytes, maxFileBytes: maxBytes }, either),
  ]);
  content.end();
}

function write(content: PassThrough, chunk: Buffer): Promise<void> | undefined {
  if (content.destroyed || content.write(chunk)) return undefined;
  return untilDrained(content);
}
