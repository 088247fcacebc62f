import { ServiceError } from '../core/service-error.js';

/** A JSON object with one long text apart from the rest. */
export interface SplitObject {
  readonly rest: Readonly<Record<string, unknown>>;
  /** The value of the field: its bytes when it is text, else as it is. */
  readonly value: Buffer | unknown;
}

/** More than this is never parsed on the serving thread: a mebibyte of small keys takes 160 ms. */
const parseMaxBytes = 32 * 1024;
const standIn = 'an image stood here';

/**
 * Takes one text field out of a JSON object. Undefined when that would take too long here, because there is much
 * beside the text. Throws `bad_request` when the body is no object.
 */
export function splitObject(body: Buffer, field: string): SplitObject | undefined {
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
    `${body.toString('utf8', 0, start)}${standIn}${body.toString('utf8', end)}`,
  );
  if (left !== standIn) return undefined;
  const value = body.subarray(start, end);
  return { rest, value: value.includes(backslash) ? unescapeText(value) : value };
}

const quote = 0x22;
const backslash = 0x5c;

/** Where the quote is that ends a JSON text; -1 when none does. */
function endOfText(body: Buffer, start: number): number {
  for (let end = body.indexOf(quote, start); end >= 0; end = body.indexOf(quote, end + 1)) {
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
  if (!isObject(value)) throw notJson();
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

export function notJson(): ServiceError {
  return new ServiceError('bad_request', 'the body must be a JSON object with little beside its image');
}
