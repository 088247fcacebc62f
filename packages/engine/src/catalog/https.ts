import { type FileHandle, open, rm } from 'node:fs/promises';
import { keepSource, WrongBytesError } from './checked-file.js';
import { type FetchContext, FetchError, type RequestedFile } from './fetch-context.js';
import { statusError, withAttempts } from './http-attempts.js';

/**
 * Downloads files by address and resumes partial downloads, also those of an earlier process. A resumed file whose
 * hash is wrong is fetched once more from its beginning: the partial file may have been of an older version.
 */
export async function fetchHttps(files: readonly RequestedFile[], context: FetchContext): Promise<void> {
  for (const file of files) {
    const partial = context.layout.partial(file.sha256);
    const continued = await download(file, partial, context);
    try {
      await keepSource(partial, file, context.layout);
    } catch (error) {
      await rm(partial, { force: true });
      if (!(error instanceof WrongBytesError)) throw error;
      if (!continued) throw new FetchError(`${hostOf(file)}: ${error.message}`, false, { cause: error });
      await download(file, partial, context);
      await keepSource(partial, file, context.layout).catch(async (again: unknown) => {
        await rm(partial, { force: true });
        if (!(again instanceof WrongBytesError)) throw again;
        throw new FetchError(`${hostOf(file)}: ${again.message}`, false, { cause: again });
      });
    }
  }
}

/** Returns whether some bytes came from an earlier attempt. */
async function download(file: RequestedFile, partial: string, context: FetchContext): Promise<boolean> {
  let continued = false;
  await withAttempts(hostOf(file), context.signal, async () => {
    continued = (await continueDownload(file, partial, context)) || continued;
  });
  return continued;
}

async function continueDownload(
  file: RequestedFile,
  partial: string,
  context: FetchContext,
): Promise<boolean> {
  const target = await open(partial, 'a', 0o644);
  try {
    let done = (await target.stat()).size;
    if (done > file.bytes) {
      await target.truncate(0);
      done = 0;
    }
    const start = done;
    if (done === file.bytes) return true;
    context.onBytes(done, file.bytes);
    const response = await context.fetch(file.from, {
      headers:
        done > 0
          ? { range: `bytes=${done}-`, 'accept-encoding': 'identity' }
          : { 'accept-encoding': 'identity' },
      signal: context.signal,
    });
    if (done > 0 && (response.status === 200 || response.status === 416)) {
      // The server does not support ranges, or its file has changed: restart.
      await target.truncate(0);
      if (response.status === 416) throw new Error('the server refused to continue');
      await append(response.body, target, 0, file, context);
      return false;
    }
    if (response.status !== 200 && response.status !== 206)
      throw statusError(hostOf(file), file.name, response.status);
    if (response.status === 206 && !startsAt(response.headers.get('content-range'), done)) {
      throw new FetchError(`${hostOf(file)} answered another part of the file than was asked for`, false);
    }
    await append(response.body, target, done, file, context);
    return start > 0;
  } finally {
    await target.close();
  }
}

async function append(
  body: AsyncIterable<Uint8Array> | null,
  target: FileHandle,
  start: number,
  file: RequestedFile,
  context: FetchContext,
): Promise<void> {
  let done = start;
  for await (const chunk of body ?? []) {
    done += chunk.length;
    if (done > file.bytes) {
      await target.truncate(0);
      throw new FetchError(`${hostOf(file)}: ${file.name} has more than ${file.bytes} bytes`, false);
    }
    await target.writeFile(chunk);
    context.onBytes(done, file.bytes);
  }
  await target.sync();
  if (done < file.bytes) throw new Error(`cut after ${done} of ${file.bytes} bytes`);
}

function startsAt(contentRange: string | null, offset: number): boolean {
  return contentRange?.startsWith(`bytes ${offset}-`) ?? false;
}

/** The address without its query, which may hold a secret. */
function hostOf(file: RequestedFile): string {
  return new URL(file.from).host;
}
