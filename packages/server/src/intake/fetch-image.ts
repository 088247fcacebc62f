import type { Client, Dispatcher } from 'undici';
import { compressionsOf, decodingFault, decompress } from '../core/content-encoding.js';
import { openClient } from '../core/open-client.js';
import { ServiceError } from '../core/service-error.js';
import { lookUpChecked } from './allowed-host.js';
import { checkImageAddress, parseImageAddress } from './check-address.js';
import { collect, type HeldImage, imageMemoryMaxBytes } from './held-image.js';
import { parseNetworks } from './public-address.js';
import { type ResolveHost, resolveHost } from './resolve-host.js';
import type { Spool } from './spool.js';

export interface FetcherOptions {
  readonly spool: Spool;
  readonly maxImageBytes: number;
  /** Over all: name, connection, redirects and body. */
  readonly fetchTimeoutMs: number;
  /** Networks (CIDR, comma separated) that are allowed although they are private. */
  readonly fetchAllowedNetworks: string;
  readonly resolve?: ResolveHost;
}

/**
 * Fetches an image by its address; of an account, into its share of the spool. Throws `wrong_parameters` for what is no
 * http(s) address, `address_not_allowed`, `address_not_reachable`, `file_too_large`, `service_busy`, or the signal's reason.
 */
export type FetchImage = (address: string, signal: AbortSignal, accountId?: number) => Promise<HeldImage>;

const maxRedirects = 3;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const headers = {
  accept: 'image/*,*/*;q=0.5',
  // Images are compressed already. Stores answer with what was stored compressed all the same.
  'accept-encoding': 'identity',
  'user-agent': 'Lynceus (fetches an image that a user named)',
};

export function createImageFetcher(options: FetcherOptions): FetchImage {
  const { maxImageBytes, fetchTimeoutMs, resolve = resolveHost } = options;
  const allowed = parseNetworks('fetchAllowedNetworks', options.fetchAllowedNetworks);

  const readImage = async (answer: Dispatcher.ResponseData, spool: Spool, signal: AbortSignal) => {
    if (answer.statusCode !== 200) throw notReachable(`it answered with HTTP status ${answer.statusCode}`);
    const compressions = compressionsOf(answer.headers['content-encoding']);
    const body = decompress(answer.body, compressions);
    if (body === null)
      throw notReachable(
        `it answered with compressed content (${compressions.join(', ')}) that was not asked for`,
      );
    if (Number(answer.headers['content-length'] ?? 0) > maxImageBytes) throw tooLarge();
    const limits = { maxBytes: maxImageBytes, memoryMaxBytes: imageMemoryMaxBytes };
    try {
      return await collect(body, { spool, ...limits, tooLarge, signal });
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'bad_request')) throw error;
      // A body that broke off is the remote server's fault here, not the caller's.
      const isCorrupt = decodingFault(body.errored) === 'corrupt';
      const why = isCorrupt
        ? 'the compression of its answer is broken'
        : 'its answer ended before it was whole';
      throw notReachable(why, body.errored ?? error);
    }
  };
  const tooLarge = () =>
    new ServiceError('file_too_large', `the file at the image address is larger than ${maxImageBytes} bytes`);

  const follow = async (start: string, spool: Spool, signal: AbortSignal): Promise<HeldImage> => {
    let address = parseImageAddress(start);
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const ips = await checkImageAddress(address, allowed, resolve, signal);
      signal.throwIfAborted();
      const client = connectTo(address, ips, fetchTimeoutMs);
      try {
        const path = `${address.pathname}${address.search}`;
        const answer = await client.request({ method: 'GET', path, headers, signal });
        // Whatever the stream says after we have turned away from it is of no interest.
        answer.body.on('error', () => undefined);
        const { location } = answer.headers;
        if (!redirectStatuses.has(answer.statusCode) || typeof location !== 'string') {
          return await readImage(answer, spool, signal);
        }
        address = parseRedirect(location, address);
      } finally {
        // An answer may still be coming; it is of no interest.
        client.destroy().catch(() => undefined);
      }
    }
    throw notReachable(`it redirects more than ${maxRedirects} times`);
  };

  return async (address, signal, accountId) => {
    const spool = accountId === undefined ? options.spool : options.spool.of(accountId);
    const deadline = AbortSignal.timeout(fetchTimeoutMs);
    try {
      const either = AbortSignal.any([signal, deadline]);
      return await untilAborted(follow(address, spool, either), either);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (deadline.aborted) throw notReachable('it took too long', error);
      if (error instanceof ServiceError) throw error;
      throw notReachable('the connection failed', error);
    }
  };
}

/** A client for one origin that can connect to the checked addresses alone, and knows no proxy. */
function connectTo(address: URL, ips: readonly string[], timeoutMs: number): Client {
  return openClient(address.origin, {
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    pipelining: 0,
    connect: { timeout: timeoutMs, lookup: lookUpChecked(ips) },
  });
}

function parseRedirect(location: string, from: URL): URL {
  try {
    return new URL(location, from);
  } catch (cause) {
    throw notReachable('it redirects to something that is no address', cause);
  }
}

// A resolver may not heed the signal in time; the caller need not wait for it.
async function untilAborted<T extends HeldImage>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      reject(signal.reason);
      work.then(
        (late) => late.dispose(),
        () => undefined,
      );
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function notReachable(why: string, cause?: unknown): ServiceError {
  return new ServiceError('address_not_reachable', `the image address cannot be fetched: ${why}`, { cause });
}
