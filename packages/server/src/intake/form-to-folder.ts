import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { quote } from '../core/quote.js';
import { ServiceError } from '../core/service-error.js';
import { badForm, createFormParser, pumpForm } from './form-parser.js';

interface FolderForm {
  /** In the order in which they came; the name is what the form says, the path is ours. */
  readonly files: readonly { readonly name: string; readonly path: string }[];
  /** The first value of every field. */
  readonly fields: Readonly<Record<string, string>>;
}

interface FolderFormOptions {
  /** A folder of its own, which is there; what a failed form left in it is the caller's to remove. */
  readonly dir: string;
  /** Of all files together. */
  readonly maxBytes: number;
  readonly maxFiles: number;
  readonly signal: AbortSignal;
  /** Asked before each piece of a file is written, with its length; the form fails with what it throws. */
  readonly take?: (bytes: number) => Promise<void>;
}

/** A list of 20,000 labels fits. */
const maxFieldBytes = 2 * 1024 * 1024;
const maxFields = 20;
/** Boundaries, headers and fields. */
const maxOverheadBytes = maxFieldBytes + 1024 * 1024;

/**
 * Writes the files of a form into a folder, each on disk when it resolves; nothing gathers in memory. Throws
 * `file_too_large`, `bad_request` or the signal's reason.
 */
export async function readFormToFolder(
  request: IncomingMessage,
  { dir, maxBytes, maxFiles, signal, take }: FolderFormOptions,
): Promise<FolderForm> {
  const parser = createFormParser(request, { fieldSize: maxFieldBytes, maxParts: maxFiles + maxFields });
  const abandon = new AbortController();
  const either = AbortSignal.any([signal, abandon.signal]);
  const files: { name: string; path: string }[] = [];
  const fields: Record<string, string> = Object.create(null);
  const writing: Promise<void>[] = [];
  const failed = new Promise<never>((_, reject) => {
    const tooMany = () =>
      reject(
        new ServiceError('bad_request', `a form may hold ${maxFiles} files at most: send a zip of them`),
      );
    parser.on('error', (error) => reject(badForm(error)));
    parser.on('partsLimit', tooMany);
    // The types say string, but a part may have no name. What is thrown here ends the process.
    parser.on('field', (name: string | undefined, value, nameTruncated, valueTruncated) => {
      if (nameTruncated || valueTruncated) {
        reject(
          new ServiceError(
            'bad_request',
            `the field ${quote(name ?? 'without a name')} is larger than ${maxFieldBytes} bytes`,
          ),
        );
      } else if (name !== undefined) fields[name] ??= value;
    });
    // The types say string, but a part without a file name has none.
    parser.on('file', (_name, stream, fileName: string | undefined) => {
      if (files.length >= maxFiles) {
        stream.resume();
        tooMany();
        return;
      }
      const path = join(dir, String(files.length));
      files.push({ name: fileName ?? '', path });
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
      const written = pipeline(stream, asked(take), file, { signal: either });
      writing.push(written);
      written.catch(reject);
    });
  });
  failed.catch(() => undefined);
  try {
    await Promise.race([
      failed,
      pumpForm(request, parser, { maxBytes: maxBytes + maxOverheadBytes, maxFileBytes: maxBytes }, either),
    ]);
    await Promise.all(writing);
    return { files, fields };
  } catch (error) {
    abandon.abort(error);
    await Promise.allSettled(writing);
    signal.throwIfAborted();
    throw error;
  }
}

function asked(take: FolderFormOptions['take']) {
  return async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      await take?.(piece.byteLength);
      yield piece;
    }
  };
}
