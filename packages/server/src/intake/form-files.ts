import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { ServiceError } from '../core/service-error.js';
import { badForm, createFormParser, pumpForm } from './form-parser.js';
import type { HeldImage } from './held-image.js';
import { decodePart, readPart } from './image-part.js';
import type { Spool } from './spool.js';
import { untilDrained } from './until-drained.js';

/** A file of a form. The caller disposes of its image. */
export interface FormFile {
  readonly fileName: string;
  /** The short fields that stood before it, the latest value of each. */
  readonly fields: Readonly<Record<string, string>>;
  /** Null for a file over the limit, which was passed over. */
  readonly image: HeldImage | null;
}

interface FormFilesLimits {
  readonly maxFileBytes: number;
  readonly maxFiles: number;
}

const maxFieldBytes = 4096;
const maxOverheadBytes = 1024 * 1024;
/** Files that are held while the first is worked on; the sender waits then. */
const heldAhead = 2;

/**
 * The files of a form, one after the other as they come; no more are taken from the sender than are asked for. Throws
 * `bad_request`, `service_busy` or the signal's reason.
 */
export async function* readFormFiles(
  request: IncomingMessage,
  spool: Spool,
  { maxFileBytes, maxFiles }: FormFilesLimits,
  signal: AbortSignal,
): AsyncGenerator<FormFile, void, undefined> {
  const abandon = new AbortController();
  const either = AbortSignal.any([signal, abandon.signal]);
  // Each of many small files listens, and one chunk may hold hundreds.
  setMaxListeners(0, either);
  const files = new PassThrough({
    objectMode: true,
    writableHighWaterMark: heldAhead,
    readableHighWaterMark: 1,
  });
  // The iteration throws it; after its end, it must not end the process.
  files.on('error', () => undefined);
  const parser = createFormParser(request, { fieldSize: maxFieldBytes, maxParts: 4 * maxFiles });
  const fields: Record<string, string> = Object.create(null);
  let lastRead = Promise.resolve();
  let count = 0;

  const take = async (stream: Readable, fileName: string, transferEncoding: string) => {
    const before = { ...fields };
    const reading = readPart(
      stream,
      { isFile: true, transferEncoding },
      spool,
      { maxImageBytes: maxFileBytes, maxTextBytes: maxFileBytes },
      either,
    )
      .then((part) => decodePart(part, spool))
      .catch((error: unknown) => {
        stream.resume();
        if (error instanceof ServiceError && error.code === 'file_too_large') return null;
        throw error;
      });
    const earlier = lastRead;
    lastRead = reading.then(async (image) => {
      await earlier;
      if (abandon.signal.aborted) await image?.dispose();
      else files.write({ fileName, fields: before, image } satisfies FormFile);
    });
    lastRead.catch((error: unknown) => files.destroy(toError(error)));
  };
  parser.on('error', (error) => files.destroy(badForm(error)));
  parser.on('partsLimit', () => files.destroy(tooMany(maxFiles)));
  parser.on('field', (name, value) => {
    fields[name] = value;
  });
  // The types say string, but a part without a file name has none.
  parser.on('file', (_name, stream, fileName: string | undefined, transferEncoding) => {
    count += 1;
    if (count > maxFiles) {
      stream.resume();
      files.destroy(tooMany(maxFiles));
      return;
    }
    void take(stream, fileName ?? '', transferEncoding);
  });
  const untilWritable = () => (files.writableNeedDrain && !files.destroyed ? untilDrained(files) : undefined);
  const pumping = pumpForm(
    request,
    parser,
    { maxBytes: maxFiles * maxFileBytes + maxOverheadBytes, maxFileBytes },
    either,
    untilWritable,
  )
    .then(() => lastRead)
    .then(() => files.end())
    .catch((error: unknown) => files.destroy(toError(error)));
  try {
    for await (const file of files) yield file;
  } finally {
    abandon.abort(new ServiceError('bad_request', 'the rest of the form is not read'));
    for (let left = files.read(); left !== null; left = files.read()) await left.image?.dispose();
    files.destroy();
    await pumping;
    await lastRead.catch(() => undefined);
  }
}

function tooMany(maxFiles: number): ServiceError {
  return new ServiceError(
    'bad_request',
    `a form may hold ${maxFiles} files at most: send the others in another`,
  );
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
