import type { IncomingMessage } from 'node:http';
import { decodeBase64, EngineError, type ModelRunner } from '@lynceus/engine';
import { compressionsOf } from '../core/content-encoding.js';
import { quote } from '../core/quote.js';
import { ServiceError } from '../core/service-error.js';
import { compressedBody } from './form-parser.js';
import { collect, type HeldImage, holdFile, holdInMemoryOrFile, spoolBytes } from './held-image.js';
import { declaredBytes } from './read-body.js';
import type { Spool } from './spool.js';

interface JsonBody {
  /** The object without the image's field. */
  readonly rest: Readonly<Record<string, unknown>>;
  /** Undefined when the field is absent, empty or null. */
  readonly image: HeldImage | undefined;
}

export interface JsonIntake {
  readonly spool: Spool;
  readonly runner: Pick<ModelRunner, 'unpackJson'>;
  readonly maxJsonBytes: number;
  /** Whose it is, once that is known: the processes serve accounts in turn. */
  readonly accountId?: number;
}

/**
 * Above this size a body is parsed and decoded by an inference process, so that it does not hold the serving thread; so
 * is a smaller one with much beside its image.
 */
const parseHereMaxBytes = 1024 * 1024;

/**
 * Reads a JSON object with an image as base64 text in `field`, whatever the content type says. Throws `bad_request`,
 * `invalid_image_text`, `file_too_large`, `service_busy`, an EngineError, or the signal's reason.
 */
export async function readJsonBody(
  request: IncomingMessage,
  field: string,
  intake: JsonIntake,
  signal: AbortSignal,
): Promise<JsonBody> {
  try {
    return await collectAndSplit(request, field, intake, signal);
  } catch (error) {
    throw explainKind(error, request, field);
  }
}

async function collectAndSplit(
  request: IncomingMessage,
  field: string,
  intake: JsonIntake,
  signal: AbortSignal,
): Promise<JsonBody> {
  const { spool, maxJsonBytes } = intake;
  const tooLarge = () => new ServiceError('file_too_large', `the body is larger than ${maxJsonBytes} bytes`);
  if (declaredBytes(request) > maxJsonBytes) throw tooLarge();
  const body = await collect(request, {
    spool,
    memoryMaxBytes: parseHereMaxBytes,
    maxBytes: maxJsonBytes,
    tooLarge,
    signal,
  });
  const { source, dispose } = body;
  if (source.kind === 'bytes') {
    const split = body.size === 0 ? { rest: {}, value: undefined } : splitObject(source.bytes, field);
    if (split !== undefined) return decodeHere(split, field, spool);
  }
  const file =
    source.kind === 'file' ? { path: source.path, dispose } : await spoolBytes(source.bytes, spool);
  try {
    return await unpackElsewhere({ path: file.path, bytes: body.size }, field, intake, signal);
  } finally {
    await file.dispose();
  }
}

/** Other types may well hold JSON: many clients declare a form, or nothing. */
function explainKind(error: unknown, { headers }: IncomingMessage, field: string): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'bad_request') return error;
  const compressions = compressionsOf(headers['content-encoding']);
  if (compressions.length > 0) return new ServiceError('bad_request', compressedBody(compressions));
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const isOther = /^\s*(multipart|image)\//i.test(type);
  if (!isOther) return error;
  return new ServiceError(
    'bad_request',
    `the body is ${quote(type.trim().toLowerCase())}: this operation takes JSON with the image as base64 text in ${field}`,
  );
}

async function decodeHere({ rest, value }: SplitObject, field: string, spool: Spool): Promise<JsonBody> {
  if (value === undefined || value === null) return { rest, image: undefined };
  if (!Buffer.isBuffer(value)) throw notBase64(field);
  if (value.byteLength === 0) return { rest, image: undefined };
  const decoded = decodeBase64(value);
  if (decoded === undefined) throw notBase64(field);
  return { rest, image: await holdInMemoryOrFile(decoded, spool) };
}

async function unpackElsewhere(
  body: { readonly path: string; readonly bytes: number },
  field: string,
  { spool, runner, accountId }: JsonIntake,
  signal: AbortSignal,
): Promise<JsonBody> {
  const out = await spool.createFile();
  try {
    out.reserve(Math.ceil((body.bytes * 3) / 4));
    await out.close();
    const { rest, bytesWritten } = await runner.unpackJson(
      { path: body.path, field, outPath: out.path },
      { priority: 'interactive', ...(accountId !== undefined && { owner: String(accountId) }), signal },
    );
    if (bytesWritten === null || bytesWritten === 0) {
      await out.dispose();
      return { rest, image: undefined };
    }
    return { rest, image: holdFile(out, bytesWritten) };
  } catch (error) {
    await out.dispose();
    if (error instanceof EngineError && error.code === 'json-invalid')
      throw new ServiceError('bad_request', error.message);
    if (error instanceof EngineError && error.code === 'base64-invalid') throw notBase64(field);
    throw error;
  }
}

function notBase64(field: string): ServiceError {
  return new ServiceError('invalid_image_text', `${field} is not base64 text`);
}

/** A JSON object with one long text apart from the rest. */
interface SplitObject {
  readonly rest: Readonly<Record<string, unknown>>;
  /** The value of the field: its bytes when it is text, else as it is. */
  readonly value: Buffer | unknown;
}

/** More than this is never parsed on the serving thread: a mebibyte of small keys takes 160 ms. */
const parseMaxBytes = 32 * 1024;
const placeholder = 'an image was here';

/**
 * Takes one text field out of a JSON object. Undefined when that would take too long here, because there is much
 * beside the text. Throws `bad_request` when the body is no object.
 */
export function splitObject(bytes: Uint8Array, field: string): SplitObject | undefined {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const split = splitBytes(body, field);
  if (split !== undefined) return split;
  if (body.length > parseMaxBytes) return undefined;
  const { [field]: value, ...rest } = parseObject(body.toString('utf8'));
  return { rest, value: typeof value === 'string' ? Buffer.from(value) : value };
}

/**
 * Cuts the text out before the rest is parsed: an image then never becomes a string, which costs six times as much.
 * Undefined when the text is not found where clients write it, or is not the field of the outer object.
 */
function splitBytes(body: Buffer, field: string): SplitObject | undefined {
  const key = body.indexOf(`"${field}"`);
  if (key < 0) return undefined;
  const afterKey = key + field.length + 2;
  const between = /^\s*:\s*"/.exec(body.toString('latin1', afterKey, afterKey + 32));
  if (between === null) return undefined;
  const start = afterKey + between[0].length;
  const end = endOfText(body, start);
  if (end < 0 || start + body.length - end > parseMaxBytes) return undefined;
  const { [field]: left, ...rest } = parseObject(
    `${body.toString('utf8', 0, start)}${placeholder}${body.toString('utf8', end)}`,
  );
  if (left !== placeholder) return undefined;
  const value = body.subarray(start, end);
  return { rest, value: value.includes(backslash) ? unescapeText(value) : value };
}

const quoteMark = 0x22;
const backslash = 0x5c;

/** Where the quote is that ends a JSON text; -1 when none does. */
function endOfText(body: Buffer, start: number): number {
  for (let end = body.indexOf(quoteMark, start); end >= 0; end = body.indexOf(quoteMark, end + 1)) {
    let escapes = 0;
    while (end - escapes > start && body[end - escapes - 1] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}

// Some writers of JSON escape each slash.
function unescapeText(text: Buffer): Buffer {
  return Buffer.from(String(parseJson(`"${text.toString('utf8')}"`)));
}

function parseObject(text: string): Record<string, unknown> {
  const value = parseJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  if (!isObject(value)) throw new ServiceError('bad_request', 'the body must be a JSON object');
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notJson(): ServiceError {
  return new ServiceError('bad_request', 'the body is not JSON in UTF-8, uncompressed');
}
