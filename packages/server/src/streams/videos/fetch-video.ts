import type { Client, Dispatcher } from 'undici';
import { compressionsOf } from '../../core/content-encoding.js';
import { openClient } from '../../core/open-client.js';
import { ServiceError } from '../../core/service-error.js';
import { lookUpChecked } from '../../intake/allowed-host.js';
import { createAuthenticator } from '../sources/http-auth.js';
import type { ReachStreamHost } from '../sources/stream-hosts.js';
import { StreamFailure } from '../sources/stream-source.js';
import type { VideoAddress } from './video-address.js';

export interface FetchVideoOptions {
  /** Resolves and checks each host, those of redirects too. */
  readonly reach: ReachStreamHost;
  readonly maxBytes: number;
  /** Told once: the length that the server declares, or null. */
  readonly onLength: (bytes: number | null) => void;
  readonly signal: AbortSignal;
  /** For a connection, the head of an answer, and between two pieces; 30 s unless given. */
  readonly silenceMs?: number;
}

const maxRedirects = 5;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const usualSilenceMs = 30_000;
/** However slowly it comes. */
const maxFetchMs = 2 * 3_600_000;
const headers = {
  accept: 'video/*,*/*;q=0.5',
  // A compressed answer could unfold without bound, and videos are compressed already.
  'accept-encoding': 'identity',
  'user-agent': 'Lynceus (fetches a video that a user named)',
};

/**
 * The bytes of a video at an http or https address. User name and password are sent to the host of the address alone, when it asks for
 * them (Basic or Digest). Throws `address_not_allowed`, `address_not_reachable`, `file_too_large`, or the signal's reason.
 */
export async function* fetchVideo(
  { url, username, password }: VideoAddress,
  { reach, maxBytes, onLength, signal, silenceMs = usualSilenceMs }: FetchVideoOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const start = new URL(url);
  const deadline = AbortSignal.timeout(maxFetchMs);
  const either = AbortSignal.any([signal, deadline]);
  const authenticator = createAuthenticator(
    username === null && password === null ? null : { username: username ?? '', password: password ?? '' },
  );
  let address = start;
  let client: Client | undefined;
  try {
    for (let hop = 0; ; ) {
      client = await connect(address, { reach, silenceMs, signal: either });
      const isOwn = address.origin === start.origin;
      const path = `${address.pathname}${address.search}`;
      const authorization = isOwn ? authenticator.authorize('GET', path) : undefined;
      const answer = await client.request({
        ...{ method: 'GET', path, signal: either },
        headers: { ...headers, ...(authorization !== undefined && { authorization }) },
      });
      // Whatever the stream says after we have turned away from it is of no interest.
      answer.body.on('error', () => undefined);
      const { location } = answer.headers;
      if (redirectStatuses.has(answer.statusCode) && typeof location === 'string') {
        hop += 1;
        if (hop > maxRedirects) throw notReachable(`it redirects more than ${maxRedirects} times`);
        address = parseRedirect(location, address);
      } else if (!(answer.statusCode === 401 && isOwn && authenticator.accept(challengesOf(answer)))) {
        yield* readBody(answer, { maxBytes, onLength });
        return;
      }
      await client.destroy();
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (deadline.aborted) throw notReachable('it took too long', error);
    throw explain(error);
  } finally {
    client?.destroy().catch(() => undefined);
  }
}

/** A client for one origin that can connect to the checked addresses alone, and knows no proxy. */
async function connect(
  address: URL,
  { reach, silenceMs, signal }: { reach: ReachStreamHost; silenceMs: number; signal: AbortSignal },
): Promise<Client> {
  if (address.protocol !== 'http:' && address.protocol !== 'https:') {
    throw new ServiceError('address_not_allowed', 'the address of the video redirects to another protocol');
  }
  const port = Number(address.port) || (address.protocol === 'https:' ? 443 : 80);
  const ips = await reach(address.hostname.replace(/^\[|\]$/g, ''), port, signal);
  signal.throwIfAborted();
  return openClient(address.origin, {
    ...{ headersTimeout: silenceMs, bodyTimeout: silenceMs, pipelining: 0 },
    connect: { timeout: silenceMs, lookup: lookUpChecked(ips) },
  });
}

async function* readBody(
  { statusCode, headers: answered, body }: Dispatcher.ResponseData,
  { maxBytes, onLength }: Pick<FetchVideoOptions, 'maxBytes' | 'onLength'>,
): AsyncGenerator<Buffer, void, undefined> {
  if (statusCode === 401 || statusCode === 403) {
    throw new ServiceError(
      'address_not_allowed',
      `the server of the video refuses it (HTTP status ${statusCode}): check user name and password`,
    );
  }
  if (statusCode === 404 || statusCode === 410) {
    throw new ServiceError(
      'not_found',
      `the server has no video at this address (HTTP status ${statusCode})`,
    );
  }
  if (statusCode !== 200) throw notReachable(`it answered with HTTP status ${statusCode}`);
  const compressions = compressionsOf(answered['content-encoding']);
  if (compressions.length > 0) {
    throw notReachable(
      `it answered with compressed content (${compressions.join(', ')}) that was not asked for: switch that off at the server`,
    );
  }
  const declared = Number(answered['content-length'] ?? Number.NaN);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  onLength(Number.isFinite(declared) ? declared : null);
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield piece;
  }
}

function challengesOf({ headers: answered }: Dispatcher.ResponseData): readonly string[] {
  return [answered['www-authenticate'] ?? []].flat();
}

function parseRedirect(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href)) throw notReachable('it redirects to something that is no address');
  const to = new URL(location, from);
  Object.assign(to, { username: '', password: '' });
  return to;
}

function explain(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  if (error instanceof StreamFailure) {
    return error.code === 'refused'
      ? new ServiceError('address_not_allowed', error.message, { cause: error })
      : notReachable(error.message, error);
  }
  return notReachable('the connection failed', error);
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('file_too_large', `the video is larger than ${maxBytes} bytes`);
}

function notReachable(why: string, cause?: unknown): ServiceError {
  return new ServiceError('address_not_reachable', `the video cannot be fetched: ${why}`, { cause });
}
