import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../core/service-error.js';
import { badForm, createFormParser, pumpForm } from './form-parser.js';
import type { HeldImage } from './held-image.js';
import { decodePart, isFileType, type PartLimits, readPart } from './image-part.js';
import type { Spool } from './spool.js';

/** A form with any number of files. Its holder disposes of it, whatever happens. */
export interface FilesForm {
  /** The first value of every field of at most 64 KiB. */
  readonly fields: Readonly<Record<string, string>>;
  /** In their order; those without a byte are left out. */
  readonly files: readonly NamedFile[];
  dispose(): Promise<void>;
}

export interface NamedFile {
  /** Of its field. */
  readonly name: string;
  readonly image: HeldImage;
}

interface FilesFormLimits extends PartLimits {
  readonly maxFiles: number;
  /** Of all files together. */
  readonly maxBytes: number;
}

const maxFieldBytes = 64 * 1024;
const maxParts = 100;
/** What a form may hold beside its files: boundaries, headers, other fields. */
const maxOverheadBytes = 1024 * 1024;

/**
 * Reads `multipart/form-data` with several files, or `application/x-www-form-urlencoded`; files stream past and never gather in
 * memory. Throws `bad_request`, `file_too_large`, `service_busy`, or the signal's reason.
 */
export async function readFilesForm(
  request: IncomingMessage,
  spool: Spool,
  limits: FilesFormLimits,
  signal: AbortSignal,
): Promise<FilesForm> {
  const parser = createFormParser(request, { fieldSize: maxFieldBytes, maxParts });
  const fields: Record<string, string> = Object.create(null);
  const abandon = new AbortController();
  const either = AbortSignal.any([signal, abandon.signal]);
  const reading: Promise<NamedFile>[] = [];
  const failed = new Promise<never>((_, reject) => {
    parser.on('error', (error) => reject(badForm(error)));
    let parts = 0;
    const countPart = () => {
      parts += 1;
      // Of a URL-encoded form the parser reports its limit only when more comes after it.
      if (parts > maxParts)
        reject(new ServiceError('bad_request', `a form may hold ${maxParts} parts at most`));
    };
    parser.on('partsLimit', () => {
      parts = maxParts;
      countPart();
    });
    parser.on('field', (name, value, nameTruncated, valueTruncated) => {
      countPart();
      if (!nameTruncated && !valueTruncated) fields[name] ??= value;
    });
    // The types say string, but a part without a file name has none.
    parser.on('file', (name, stream, fileName: string | undefined, transferEncoding, type) => {
      countPart();
      if (reading.length >= limits.maxFiles) {
        stream.resume();
        reject(new ServiceError('bad_request', tooManyFiles(limits.maxFiles)));
        return;
      }
      const isFile = fileName === undefined ? isFileType(type) : fileName !== '';
      const part = readPart(stream, { isFile, transferEncoding }, spool, limits, either)
        .then((held) => decodePart(held, spool))
        .then((image) => ({ name, image }));
      reading.push(part);
      part.catch((error) => {
        stream.resume();
        reject(error);
      });
    });
  });
  failed.catch(() => undefined);
  const dispose = async () => {
    for (const result of await Promise.allSettled(reading)) {
      if (result.status === 'fulfilled') await result.value.image.dispose();
    }
  };
  try {
    await Promise.race([
      failed,
      pumpForm(
        request,
        parser,
        { maxBytes: limits.maxBytes + maxOverheadBytes, maxFileBytes: limits.maxImageBytes },
        either,
      ),
    ]);
    const files = await Promise.race([failed, Promise.all(reading)]);
    return { fields, files: files.filter(({ image }) => image.size > 0), dispose };
  } catch (error) {
    abandon.abort(error);
    await dispose();
    throw error;
  }
}

function tooManyFiles(maxFiles: number): string {
  return maxFiles === 0
    ? 'the form has an image, and this call takes none: send its fields alone'
    : `a form may hold ${maxFiles} images at most`;
}
