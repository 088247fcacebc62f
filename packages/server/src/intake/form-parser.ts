import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { ServiceError } from '../core/service-error.js';
import { isFileType } from './image-part.js';
import { declaredBytes, readBlocks } from './read-body.js';

/** A parser of `multipart/form-data` or `application/x-www-form-urlencoded`. Throws `bad_request`. */
export function createFormParser(
  request: IncomingMessage,
  { fieldSize, maxParts }: { readonly fieldSize: number; readonly maxParts: number },
): BusboyInstance {
  try {
    const parser = new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      // A text field `image` may be megabytes long, so it streams as a file does.
      isPartAFile: (name, type, fileName) => fileName !== undefined || name === 'image' || isFileType(type),
      limits: { fieldSize, fields: maxParts + 1, parts: maxParts, headerPairs: 64, headerSize: 16 * 1024 },
    });
    // A form that breaks off within a file says so on that file as well, also on one that is passed over or already given
    // up; an error without a listener ends the process. The parser's own error is what is answered.
    parser.on('file', (_name, stream) => stream.on('error', () => undefined));
    return parser;
  } catch (error) {
    throw badForm(error);
  }
}

export interface FormLimits {
  /** Of the whole form: its files, fields, boundaries and headers. */
  readonly maxBytes: number;
  /** Of one file, which its reader checks. */
  readonly maxFileBytes: number;
}

/**
 * Feeds a request's body to the parser, as fast as it and `untilWritable` allow. Resolves when the parser has seen the end. Throws
 * `file_too_large`, `bad_request` or the signal's reason.
 */
export async function pumpForm(
  request: IncomingMessage,
  parser: BusboyInstance,
  { maxBytes, maxFileBytes }: FormLimits,
  signal: AbortSignal,
  untilWritable: () => Promise<void> | undefined = () => undefined,
): Promise<void> {
  const tooLarge = () =>
    new ServiceError(
      'file_too_large',
      `the form is larger than ${maxBytes} bytes; a file in it may have ${maxFileBytes}`,
    );
  if (declaredBytes(request) > maxBytes) throw tooLarge();
  let size = 0;
  const finished = new Promise<void>((resolve) => {
    parser.once('finish', resolve);
  });
  await readBlocks(
    request,
    (chunk) => {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge();
      if (parser.write(chunk)) return untilWritable();
      return new Promise<void>((resolve) => {
        parser.once('drain', resolve);
      }).then(untilWritable);
    },
    signal,
  );
  parser.end();
  await finished;
}

export function badForm(cause: unknown): ServiceError {
  return new ServiceError('bad_request', 'the form cannot be read: check its boundary and its end', {
    cause,
  });
}
