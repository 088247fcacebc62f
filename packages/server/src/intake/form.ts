import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../core/service-error.js';
import { badForm, createFormParser, pumpForm } from './form-parser.js';
import { type HeldImage, holdBytes } from './held-image.js';
import { asText, decodePart, isFileType, type PartLimits, readPart, tooLarge } from './image-part.js';
import type { Spool } from './spool.js';

export interface Form {
  /** The first value of every short field. */
  readonly fields: Readonly<Record<string, string>>;
  /** Names of fields above 64 KiB, whose values were not kept: no parameter is that long. */
  readonly longFields: ReadonlySet<string>;
  /** The first file part; failing that, the text field `image`. May be empty. */
  readonly image: HeldImage | undefined;
}

const maxFieldBytes = 64 * 1024;
/** A URL-encoded form gathers in memory, so larger images have to come as multipart. */
const maxUrlEncodedBytes = 4 * 1024 * 1024;
const maxParts = 100;
/** What a form may hold beside its image: boundaries, headers, other fields. */
const maxOverheadBytes = 1024 * 1024;

/**
 * Reads `multipart/form-data` or `application/x-www-form-urlencoded`. Files stream past and never gather in memory;
 * what the form says about their type is ignored. Throws `bad_request`, `file_too_large`, `service_busy`, or the
 * signal's reason.
 */
export async function readForm(
  request: IncomingMessage,
  spool: Spool,
  limits: PartLimits,
  signal: AbortSignal,
): Promise<Form> {
  const urlEncoded = !/^\s*multipart\//i.test(request.headers['content-type'] ?? '');
  const maxFormFieldBytes = urlEncoded ? Math.min(maxUrlEncodedBytes, limits.maxTextBytes) : maxFieldBytes;
  const parser = createFormParser(request, { fieldSize: maxFormFieldBytes, maxParts });
  const fields: Record<string, string> = Object.create(null);
  const longFields = new Set<string>();
  const abandon = new AbortController();
  const either = AbortSignal.any([signal, abandon.signal]);
  let text: string | undefined;
  let hasFile = false;
  const reading: Promise<HeldImage>[] = [];
  const failed = new Promise<never>((_, reject) => {
    parser.on('error', (error) => reject(badForm(error)));
    // Going on to the end would cost far more time than the bytes are worth.
    const tooMany = () => {
      const hint = urlEncoded
        ? '; a file that curl sends with --data-binary needs -H "Content-Type: application/octet-stream", or send it with -F'
        : '';
      reject(new ServiceError('bad_request', `a form may hold ${maxParts} parts at most${hint}`));
    };
    parser.on('partsLimit', tooMany);
    let count = 0;
    parser.on('field', (name, value, nameTruncated, valueTruncated) => {
      // Of a URL-encoded form the parser reports its limit only when more comes after it.
      count += 1;
      if (count > maxParts) tooMany();
      if (name === 'image' && urlEncoded) {
        // A plus sign that was not encoded arrives as a blank.
        text ??= value.replaceAll(' ', '+');
        if (valueTruncated) reject(tooLarge(maxFormFieldBytes));
      } else if (valueTruncated) longFields.add(name);
      else if (!nameTruncated) fields[name] ??= value;
    });
    // The types say string, but a part without a file name has none.
    parser.on('file', (_name, stream, fileName: string | undefined, transferEncoding, type) => {
      const isFile = fileName === undefined ? isFileType(type) : fileName !== '';
      // A real file wins over a text field `image` before it, the first one over those after it.
      if (hasFile || (reading.length > 0 && !isFile)) {
        stream.resume();
        return;
      }
      hasFile = isFile;
      const part = readPart(stream, { isFile, transferEncoding }, spool, limits, either);
      reading.push(part);
      part.catch((error) => {
        stream.resume();
        reject(error);
      });
    });
  });
  failed.catch(() => undefined);

  try {
    await Promise.race([
      failed,
      pumpForm(
        request,
        parser,
        { maxBytes: limits.maxTextBytes + maxOverheadBytes, maxFileBytes: limits.maxImageBytes },
        either,
      ),
    ]);
    const parts = await Promise.all(reading);
    // The last one is the file, if one came: what a text field before it holds is not looked at.
    for (const earlier of parts.slice(0, -1)) await earlier.dispose();
    const part = parts.at(-1);
    const held = part ?? (text === undefined ? undefined : asText(holdBytes(Buffer.from(text))));
    return { fields, longFields, image: held && (await decodePart(held, spool)) };
  } catch (error) {
    abandon.abort(error);
    for (const result of await Promise.allSettled(reading)) {
      if (result.status === 'fulfilled') await result.value.dispose();
    }
    throw error;
  }
}
