import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { ImageSource } from '@lynceus/engine';
import { ServiceError } from '../core/service-error.js';
import type { Settings } from '../core/settings.js';
import { defaultExiftoolOptions, startExiftool } from '../drops/keywords/exiftool.js';
import { readLikelyKind } from '../drops/keywords/file-kind.js';
import { createImageFetcher, type FetchImage } from '../intake/fetch-image.js';
import { openSpool, type Spool } from '../intake/spool.js';
import { walkFolders } from '../tagging/walk-folders.js';
import type { CommandContext } from './context.js';
import { createTemporaryFolder } from './temporary-folder.js';
import { type PreviewDeps, withPreview } from './with-preview.js';

/** An image by the name that it was asked for with; in a folder, by its path there. */
export interface NamedImage {
  readonly name: string;
  /** Gives its bytes to `work`. Throws where there are none. */
  use<T>(work: (source: ImageSource) => Promise<T>): Promise<T>;
}

export interface SourceOptions {
  /** Files, folders, http(s) addresses, and `-` for the image on standard input. */
  readonly images: readonly string[];
  /** A file with more of them, one a line; `-` for standard input. */
  readonly filesFrom?: string;
  /** Names in that file end with NUL, as `find -print0` writes them. */
  readonly isNullEnded: boolean;
  readonly isRecursive: boolean;
}

/**
 * The images that a command was asked for, one after the other: neither a list of names nor a folder is in memory as a whole.
 * What is no image is passed over in folders, and fails where it is named.
 */
export async function withImages<T>(
  options: SourceOptions,
  settings: Settings,
  context: CommandContext,
  work: (images: AsyncGenerator<NamedImage, void, undefined>) => Promise<T>,
): Promise<T> {
  const { dir, remove } = await createTemporaryFolder('predict');
  const exiftool = startExiftool(defaultExiftoolOptions);
  try {
    const spool = await openSpool({ dir, maxBytes: settings.spoolMaxBytes });
    const fetchImage = createImageFetcher({ spool, ...settings });
    const preview = { exiftool, dir, maxImageBytes: settings.dropMaxFileBytes };
    return await work(list(options, { spool, fetchImage, preview, settings, context }));
  } finally {
    await exiftool.close();
    await remove();
  }
}

interface Access {
  readonly spool: Spool;
  readonly fetchImage: FetchImage;
  readonly preview: PreviewDeps;
  readonly settings: Settings;
  readonly context: CommandContext;
}

async function* list(options: SourceOptions, access: Access): AsyncGenerator<NamedImage, void, undefined> {
  for (const name of options.images) yield* toImages(name, options, access);
  if (options.filesFrom === undefined) return;
  const names = namesIn(options.filesFrom, options.isNullEnded, access.context)[Symbol.asyncIterator]();
  for (;;) {
    const next = await names.next().catch((error: unknown) => ({ error }));
    if ('error' in next) {
      yield unreadable(options.filesFrom, next.error);
      return;
    }
    if (next.done) return;
    if (next.value !== '') yield* toImages(next.value, options, access);
  }
}

async function* toImages(
  name: string,
  { isRecursive }: SourceOptions,
  access: Access,
): AsyncGenerator<NamedImage, void, undefined> {
  if (name === '-') {
    yield { name, use: (work) => useInput(access, work) };
    return;
  }
  if (/^https?:\/\//i.test(name)) {
    yield { name, use: (work) => useAddress(name, access, work) };
    return;
  }
  const path = resolve(access.context.cwd, name);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) {
    const use: NamedImage['use'] = (work) => {
      if (!found?.isFile()) throw new Error(`There is no file ${name}`);
      return withPreview(path, access.preview, work);
    };
    yield { name, use: async (work) => use(work) };
    return;
  }
  try {
    yield* imagesIn(path, name, isRecursive, access);
  } catch (error) {
    yield unreadable(name, error);
  }
}

async function* imagesIn(
  path: string,
  name: string,
  isRecursive: boolean,
  { preview }: Access,
): AsyncGenerator<NamedImage, void, undefined> {
  const failed: NamedImage[] = [];
  const shown = (own: string) => join(name, own.slice(path.length));
  const onUnreadable = (own: string, error: unknown) => failed.push(unreadable(shown(own), error));
  for await (const folder of walkFolders(path, { isRecursive, onUnreadable })) {
    yield* failed.splice(0);
    for (const file of folder.names) {
      const own = join(folder.path, file);
      const kind = await readLikelyKind(own).catch(() => 'image' as const);
      if (kind !== null) yield { name: shown(own), use: (work) => withPreview(own, preview, work) };
    }
  }
  yield* failed;
}

/** In place of images that cannot be listed: it fails, and those before and after it do not. */
function unreadable(name: string, error: unknown): NamedImage {
  const reason = error instanceof Error ? error.message : String(error);
  return { name, use: () => Promise.reject(new Error(`${name} cannot be read (${reason})`)) };
}

async function useAddress<T>(
  address: string,
  { fetchImage }: Access,
  work: (source: ImageSource) => Promise<T>,
): Promise<T> {
  const held = await fetchImage(address, new AbortController().signal);
  try {
    return await work(held.source);
  } finally {
    await held.dispose();
  }
}

/** Into a file: what is sent to an inference process in a message is copied twice. */
async function useInput<T>(
  { spool, settings: { maxImageBytes }, context }: Access,
  work: (source: ImageSource) => Promise<T>,
): Promise<T> {
  const file = await spool.createFile();
  try {
    let bytes = 0;
    for await (const piece of context.stdin ?? process.stdin) {
      bytes += piece.byteLength;
      if (bytes > maxImageBytes) {
        throw new ServiceError('file_too_large', `the image is larger than ${maxImageBytes} bytes`);
      }
      await file.append([piece]);
    }
    await file.close();
    return await work({ kind: 'file', path: file.path });
  } finally {
    await file.dispose();
  }
}

async function* namesIn(
  filesFrom: string,
  isNullEnded: boolean,
  { cwd, stdin = process.stdin }: CommandContext,
): AsyncGenerator<string, void, undefined> {
  const input = filesFrom === '-' ? stdin : createReadStream(resolve(cwd, filesFrom));
  if (!isNullEnded) {
    yield* createInterface({ input: input as Readable, crlfDelay: Number.POSITIVE_INFINITY });
    return;
  }
  let rest = Buffer.alloc(0);
  for await (const piece of input) {
    rest = Buffer.concat([rest, Buffer.from(piece)]);
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      yield rest.toString('utf8', 0, end);
      rest = rest.subarray(end + 1);
    }
  }
  yield rest.toString();
}
