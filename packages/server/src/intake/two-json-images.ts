import type { IncomingMessage } from 'node:http';
import { decodeBase64, EngineError } from '@lynceus/engine';
import { ServiceError } from '../core/service-error.js';
import { collect, type HeldImage, holdFile, holdInMemoryOrFile } from './held-image.js';
import type { JsonIntake } from './json-body.js';
import { declaredBytes } from './read-body.js';

/** Above this size an inference process parses the body; it does so once for each image. */
const parseHereMaxBytes = 32 * 1024;

type Fields = readonly [first: string, second: string];
type Images = readonly [first: HeldImage | undefined, second: HeldImage | undefined];

/**
 * Reads a JSON object with two images as base64 text; absent and empty ones are undefined. Throws `bad_request`,
 * `invalid_image_text`, `file_too_large`, `service_busy`, or the signal's reason; then nothing is left behind.
 */
export async function readTwoJsonImages(
  request: IncomingMessage,
  fields: Fields,
  intake: JsonIntake,
  signal: AbortSignal,
): Promise<Images> {
  const { spool, maxJsonBytes: maxBytes } = intake;
  const tooLarge = () => new ServiceError('file_too_large', `the body is larger than ${maxBytes} bytes`);
  if (declaredBytes(request) > maxBytes) throw tooLarge();
  const options = { spool, memoryMaxBytes: parseHereMaxBytes, maxBytes, tooLarge, signal };
  const { source, size, dispose } = await collect(request, options);
  if (source.kind === 'bytes') {
    const body = parse(source.bytes);
    return readBoth(fields, async (field) => decodeHere(body[field], field, intake));
  }
  try {
    const body = { path: source.path, bytes: size };
    return await readBoth(fields, (field, otherField) =>
      unpackElsewhere(body, { field, otherField }, intake, signal),
    );
  } finally {
    await dispose();
  }
}

async function readBoth(
  [first, second]: Fields,
  read: (field: string, other: string) => Promise<HeldImage | undefined>,
): Promise<Images> {
  const image = await read(first, second);
  try {
    return [image, await read(second, first)];
  } catch (error) {
    await image?.dispose();
    throw error;
  }
}

async function decodeHere(
  value: unknown,
  field: string,
  { spool }: JsonIntake,
): Promise<HeldImage | undefined> {
  if (value === undefined || value === null || value === '') return undefined;
  const bytes = typeof value === 'string' ? decodeBase64(Buffer.from(value)) : undefined;
  if (bytes === undefined) throw notBase64(field);
  return holdInMemoryOrFile(bytes, spool);
}

async function unpackElsewhere(
  { path, bytes }: { readonly path: string; readonly bytes: number },
  fields: { readonly field: string; readonly otherField: string },
  { spool, runner, accountId }: JsonIntake,
  signal: AbortSignal,
): Promise<HeldImage | undefined> {
  const out = await spool.createFile();
  try {
    out.reserve(Math.ceil((bytes * 3) / 4));
    await out.close();
    const { bytesWritten } = await runner.unpackJson(
      { path, ...fields, outPath: out.path },
      { priority: 'interactive', ...(accountId !== undefined && { owner: String(accountId) }), signal },
    );
    if (bytesWritten) return holdFile(out, bytesWritten);
    await out.dispose();
    return undefined;
  } catch (error) {
    await out.dispose();
    if (error instanceof EngineError && error.code === 'json-invalid')
      throw new ServiceError('bad_request', error.message);
    if (error instanceof EngineError && error.code === 'base64-invalid') throw notBase64(fields.field);
    throw error;
  }
}

function parse(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.byteLength === 0) return {};
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Said below.
  }
  throw notJson();
}

function notJson(): ServiceError {
  return new ServiceError('bad_request', 'the body must be a JSON object with little beside its two images');
}

function notBase64(field: string): ServiceError {
  return new ServiceError('invalid_image_text', `${field} is not base64 text`);
}
