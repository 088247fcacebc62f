import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { compressionsOf } from '../core/content-encoding.js';
import { ServiceError } from '../core/service-error.js';
import { isFileType } from './image-part.js';
import { declaredBytes, readBlocks } from './read-body.js';

/** Files that a parser has begun to give out and not ended. */
const openFiles = new WeakMap<BusboyInstance, number>();

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
    parser.on('file', (_name, stream) => {
      stream.on('error', () => undefined);
      openFiles.set(parser, (openFiles.get(parser) ?? 0) + 1);
      stream.once('end', () => openFiles.set(parser, (openFiles.get(parser) ?? 0) - 1));
    });
    return parser;
  } catch (error) {
    throw badForm(error);
  }
}

interface FormLimits {
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
      if (size === 0) refuseCompressed(request, chunk);
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge();
      if (parser.write(chunk)) return untilWritable();
      const drained = new Promise<void>((resolve) => {
        parser.once('drain', resolve);
      });
      return orStuck(drained, parser, signal).then(untilWritable);
    },
    signal,
  );
  parser.end();
  await orStuck(finished, parser, signal);
}

/** A form begins with text; a header may say that it is compressed and be wrong. */
function refuseCompressed({ headers }: IncomingMessage, start: Buffer): void {
  const compressions = compressionsOf(headers['content-encoding']);
  if (compressions.length > 0 && !/^[\t\r\n -~]*$/.test(start.toString('latin1', 0, 2)))
    throw new ServiceError('bad_request', compressedBody(compressions));
}

export function compressedBody(compressions: readonly string[]): string {
  return `the body is compressed (Content-Encoding: ${compressions.join(', ')}), which is not read: send it as it is`;
}

const stuckMs = 250;

/**
 * Waits for the parser, which never goes on behind a large part that it passes over: one that is no `form-data`. Rejects with `bad_request`
 * when there is no file whose reader it could wait for.
 */
async function orStuck(event: Promise<void>, parser: BusboyInstance, signal: AbortSignal): Promise<void> {
  let idle = 0;
  let timer: NodeJS.Timeout | undefined;
  const stuck = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      idle = (openFiles.get(parser) ?? 0) === 0 ? idle + 1 : 0;
      if (idle > 1) reject(new ServiceError('bad_request', notFormData));
      if (signal.aborted) clearInterval(timer);
    }, stuckMs);
  });
  await Promise.race([event, stuck]).finally(() => clearInterval(timer));
}

const notFormData =
  'the form has a part without "Content-Disposition: form-data" and a name, or it is cut: check the headers of its parts';

export function badForm(cause: unknown): ServiceError {
  return new ServiceError('bad_request', 'the form cannot be read: check its boundary and its end', {
    cause,
  });
}
