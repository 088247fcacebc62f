import { open } from 'node:fs/promises';
import { CatalogError } from '../catalog-error.js';
import { FetchError, type FetchFunction } from '../fetch-context.js';
import { statusError, withAttempts } from '../http-attempts.js';

interface NewDownload {
  /** Begins with https:// */
  readonly url: string;
  /** What is larger is refused, where possible before it is received. */
  readonly maxBytes: number;
  readonly path: string;
  readonly fetch: FetchFunction;
  readonly signal: AbortSignal;
  readonly onBytes: (bytesDone: number, bytesTotal: number) => void;
}

/**
 * Downloads a file of which only the address is known. An interrupted download starts again: without a checksum, nothing says that
 * its beginning and its end would be of the same file.
 */
export async function downloadNew(download: NewDownload): Promise<void> {
  const { host } = new URL(download.url);
  try {
    await withAttempts(host, download.signal, () => receive(download, host));
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const advice = error.unreachable
      ? ' No network here? Download the file on another machine, and give its path to models add.'
      : '';
    throw new CatalogError(`${error.message}.${advice}`, undefined, { cause: error });
  }
}

async function receive(download: NewDownload, host: string): Promise<void> {
  const { url, maxBytes, path, fetch, signal, onBytes } = download;
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity' }, signal });
  if (response.status !== 200) throw statusError(host, new URL(url).pathname, response.status);
  if (response.url && !/^https:/i.test(response.url)) {
    throw new FetchError(`${host} redirects to an address without https`, false);
  }
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (announced > maxBytes) throw tooLarge(host, maxBytes);
  const file = await open(path, 'w', 0o644);
  try {
    let done = 0;
    for await (const chunk of response.body ?? []) {
      done += chunk.length;
      if (done > maxBytes) throw tooLarge(host, maxBytes);
      await file.writeFile(chunk);
      onBytes(done, announced);
    }
    if (announced > 0 && done < announced) throw new Error(`cut after ${done} of ${announced} bytes`);
    await file.sync();
  } finally {
    await file.close();
  }
}

function tooLarge(host: string, maxBytes: number): FetchError {
  return new FetchError(`the file of ${host} has more than ${maxBytes} bytes (maxModelBytes)`, false);
}
