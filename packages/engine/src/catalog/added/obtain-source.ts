import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { CatalogError } from '../catalog-error.js';
import { type FileFacts, sha256OfFile } from '../checked-file.js';
import type { FileSource, HttpsSource } from '../entry.js';
import type { FetchFunction } from '../fetch-context.js';

import { downloadNew } from './download-new.js';

interface ObtainRequest {
  /** An https address, or an absolute path. */
  readonly from: string;
  readonly sha256?: string | undefined;
  readonly maxBytes: number;
  /** Where the file is written. */
  readonly path: string;
  readonly fetch: FetchFunction;
  readonly signal: AbortSignal;
  readonly onBytes: (bytesDone: number, bytesTotal: number) => void;
}

interface ObtainedSource {
  readonly source: HttpsSource | FileSource;
  /** Of its only file. */
  readonly name: string;
}

/** Brings the file of a new model to `path`, on disk, and describes it as a source of the catalogue. */
export async function obtainSource(request: ObtainRequest): Promise<ObtainedSource> {
  const { from, path, signal } = request;
  const url = addressOf(from);
  if (url === undefined) await copyBounded(request);
  else await downloadNew({ ...request, url: url.href });
  const sha256 = await sha256OfFile(path, signal);
  if (request.sha256 !== undefined && request.sha256.toLowerCase() !== sha256) {
    throw new CatalogError(`${shownSource(from)} has SHA-256 ${sha256}, not ${request.sha256.toLowerCase()}`);
  }
  const { size: bytes } = await stat(path);
  if (bytes === 0) throw new CatalogError(`${shownSource(from)} is empty`);
  const facts: FileFacts = { name: nameOf(url?.pathname ?? from), sha256, bytes };
  const source: ObtainedSource['source'] =
    url === undefined
      ? { kind: 'file', files: [{ ...facts, path: from }] }
      : { kind: 'https', files: [{ ...facts, url: url.href }] };
  return { source, name: facts.name };
}

/** An address without its query, which may hold a secret; of a path, the name of the file. */
export function shownSource(from: string): string {
  const url = addressOf(from);
  return url === undefined ? basename(from) : `${url.origin}${url.pathname}`;
}

/** Undefined for a path. Throws for an address of another kind than https, and for one with a password. */
function addressOf(from: string): URL | undefined {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(from)) return undefined;
  if (!/^https:\/\//i.test(from) || !URL.canParse(from)) {
    throw new CatalogError(`${from} is no https address; give one, or the path of a file`);
  }
  const url = new URL(from);
  if (url.username !== '' || url.password !== '') {
    throw new CatalogError(
      'An address with a user or password would be kept with the model; download the file, and give its path',
    );
  }
  return url;
}

async function copyBounded({ from, path, maxBytes, signal, onBytes }: ObtainRequest): Promise<void> {
  const found = await stat(from).catch(() => undefined);
  if (!found?.isFile()) throw new CatalogError(`There is no file ${from}`);
  if (found.size > maxBytes) throw tooLarge(from, maxBytes);
  const target = await open(path, 'wx', 0o644);
  try {
    let done = 0;
    for await (const chunk of createReadStream(from, { highWaterMark: 1 << 20, signal })) {
      done += chunk.length;
      if (done > maxBytes) throw tooLarge(from, maxBytes);
      await target.writeFile(chunk);
      onBytes(done, found.size);
    }
    await target.sync();
  } finally {
    await target.close();
  }
}

function tooLarge(from: string, maxBytes: number): CatalogError {
  return new CatalogError(`${from} has more than ${maxBytes} bytes (maxModelBytes)`);
}

/** As names of source files are; the ending tells the format. */
function nameOf(path: string): string {
  const name = decode(basename(path))
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return name.slice(-100).replace(/^[^A-Za-z0-9]+/, '') || 'model';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
