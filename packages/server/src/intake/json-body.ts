import type { IncomingMessage } from 'node:http';
import { EngineError, type ModelRunner } from '@lynceus/engine';
import { ServiceError } from '../core/service-error.js';
import { decodeBase64 } from './base64.js';
import { collect } from './collect.js';
import { type HeldImage, holdInMemoryOrFile, spoolBytes } from './held-image.js';
import { notJson, type SplitObject, splitObject } from './json-object.js';
import { declaredBytes } from './raw-body.js';
import type { Spool, SpoolFile } from './spool.js';

export interface JsonBody {
  /** The object without the image's field. */
  readonly rest: Readonly<Record<string, unknown>>;
  /** Undefined when the field is absent, empty or null. */
  readonly image: HeldImage | undefined;
}

export interface JsonIntake {
  readonly spool: Spool;
  readonly runner: Pick<ModelRunner, 'unpackJson'>;
  readonly maxJsonBytes: number;
  /** Of whom it comes, once that is known: accounts take turns at the processes. */
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
  if (body.kind === 'bytes') {
    const split = body.size === 0 ? { rest: {}, value: undefined } : splitObject(body.bytes, field);
    if (split !== undefined) return decodeHere(split, field, spool);
  }
  const file = body.kind === 'file' ? body.file : await spoolBytes(body.bytes, spool);
  try {
    return await unpackElsewhere(file, body.size, field, intake, signal);
  } finally {
    await file.dispose();
  }
}

async function decodeHere({ rest, value }: SplitObject, field: string, spool: Spool): Promise<JsonBody> {
  if (value === undefined || value === null) return { rest, image: undefined };
  if (!Buffer.isBuffer(value)) throw notBase64(field);
  if (value.byteLength === 0) return { rest, image: undefined };
  const decoded = decodeBase64(value);
  if (decoded === undefined) throw notBase64(field);
  return { rest, image: await holdInMemoryOrFile(decoded, 'binary', spool) };
}

async function unpackElsewhere(
  body: SpoolFile,
  bodyBytes: number,
  field: string,
  { spool, runner, accountId }: JsonIntake,
  signal: AbortSignal,
): Promise<JsonBody> {
  const out = await spool.createFile();
  try {
    out.reserve(Math.ceil((bodyBytes * 3) / 4));
    await out.close();
    const { rest, bytesWritten } = await runner.unpackJson(
      { path: body.path, field, outPath: out.path },
      { priority: 'interactive', ...(accountId !== undefined && { owner: String(accountId) }), signal },
    );
    if (bytesWritten === null || bytesWritten === 0) {
      await out.dispose();
      return { rest, image: undefined };
    }
    const source = { kind: 'file', path: out.path } as const;
    return { rest, image: { source, size: bytesWritten, dispose: () => out.dispose() } };
  } catch (error) {
    await out.dispose();
    if (error instanceof EngineError && error.code === 'json-invalid') throw notJson();
    if (error instanceof EngineError && error.code === 'base64-invalid') throw notBase64(field);
    throw error;
  }
}

function notBase64(field: string): ServiceError {
  return new ServiceError('invalid_image_text', `${field} is not base64 text`);
}
