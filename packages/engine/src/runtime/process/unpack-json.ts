import { readFile, rm, writeFile } from 'node:fs/promises';
import { EngineError } from '../../errors.js';
import { decodeBase64 } from '../../image/base64.js';
import type { UnpackedJson, UnpackJsonJob } from '../job.js';

const quote = 0x22;

const backslash = 0x5c;

/** The result must not block the serving thread. */
const maxRestChars = 64 * 1024;
/** An escaped character takes six bytes, and white space takes some. */
const maxRestBytes = 8 * maxRestChars;

/** See UnpackJsonJob. Throws EngineError 'json-invalid' or 'base64-invalid', and then leaves no file behind. */
export async function unpackJson({ path, field, outPath, otherField }: UnpackJsonJob): Promise<UnpackedJson> {
  const body = await readFile(path);
  if (holdsMoreBesideTexts(body, otherField === undefined ? 1 : 2, maxRestBytes))
    throw tooMuchBeside(field, { isThere: true });
  const object = parseObject(body);
  const text = Object.hasOwn(object, field) ? object[field] : undefined;
  const rest = Object.fromEntries(
    // An own key of this name is legal JSON, and dangerous for code that copies the object by assignment.
    Object.entries(object).filter(([key]) => key !== field && key !== otherField && key !== '__proto__'),
  );
  if (!isSmall(rest)) throw tooMuchBeside(field, { isThere: text !== undefined && text !== null });
  if (text === undefined || text === null) return { rest, bytesWritten: null };
  if (typeof text !== 'string') throw new EngineError('base64-invalid', `"${field}" is not text`);
  const bytes = decodeBase64(Buffer.from(text));
  if (bytes === undefined) throw new EngineError('base64-invalid', `"${field}" is not base64`);
  try {
    await writeFile(outPath, bytes, { mode: 0o600 });
  } catch (error) {
    await rm(outPath, { force: true });
    throw new EngineError('internal', 'the unpacked image cannot be written', { cause: error });
  }
  return { rest, bytesWritten: bytes.length };
}

function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    // The parser's own message quotes the text, which may be a private image.
    throw new EngineError('json-invalid', 'the body is not JSON in UTF-8, uncompressed', { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new EngineError('json-invalid', 'the body must be a JSON object');
  }
  return value as Record<string, unknown>;
}

function isSmall(rest: object): boolean {
  try {
    return JSON.stringify(rest).length <= maxRestChars;
  } catch {
    // Nested deeper than the stack.
    return false;
  }
}

function tooMuchBeside(field: string, { isThere }: { readonly isThere: boolean }): EngineError {
  const missing = isThere ? '' : `${field} is missing, and `;
  return new EngineError(
    'json-invalid',
    `${missing}beside ${field} the body may hold ${maxRestChars} characters at most, not too deeply nested`,
  );
}

/**
 * Whether a JSON text has more than `maxBytes` in addition to its one or two longest strings. Parsing a bad text is expensive: 36 MB of
 * brackets take half a minute, of small numbers several seconds. This takes 2 ms a megabyte, whatever the text.
 */
function holdsMoreBesideTexts(json: Uint8Array, texts: 1 | 2, maxBytes: number): boolean {
  let first = 0;
  let second = 0;
  // What the longest have together.
  let longest = 0;
  let start = -1;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === backslash) {
      at += 1;
    } else if (byte === quote) {
      if (start >= 0) {
        second = Math.max(second, Math.min(first, at - start));
        first = Math.max(first, at - start);
        longest = texts === 2 ? first + second : first;
      }
      start = start >= 0 ? -1 : at + 1;
    } else if (start < 0 && at - longest > maxBytes) {
      return true;
    }
  }
  return json.length - longest > maxBytes;
}
