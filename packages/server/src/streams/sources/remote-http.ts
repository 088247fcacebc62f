import { Agent, type IncomingMessage, request as send } from 'node:http';
import type { Readable } from 'node:stream';
import { compressionsOf, decompress } from '../../core/content-encoding.js';
import { type ConnectOptions, connectStream } from './connect-stream.js';
import { explainConnection } from './explain-connection.js';
import { type Authenticator, type Credentials, createAuthenticator } from './http-auth.js';
import { StreamFailure } from './stream-source.js';

export interface RemoteAnswer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** Without a compression. */
  readonly body: Readable;
  /** After redirects. */
  readonly address: URL;
}

interface RemoteRequest {
  readonly range: string | undefined;
  /** Whether the answer may end anywhere; else one whose compression is cut short is an error. */
  readonly isLive: boolean;
}

export interface RemoteHttpOptions {
  readonly connect: ConnectOptions;
  readonly answerTimeoutMs: number;
  /** For the origin of `address` and no other. */
  readonly credentials: Credentials | null;
  readonly address: URL;
}

const maxRedirects = 5;
const maxAttempts = 3;
/** To one host. */
const maxSockets = 4;
const maxHeaderBytes = 32_768;
const bodyTimeoutMs = 60_000;
/** Little is read of a body that is not wanted, so that the connection can be used again. */
const discardedBytes = 16_384;
const switchesProtocols =
  'switches to another protocol (HTTP status 101); use the address of its video by HTTP or RTSP';
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * A client of HTTP that connects to checked addresses alone, whatever a redirect or a playlist names, and knows no proxy. Names of
 * headers are written as in RFC 9110, since simple cameras compare them by the byte: Node's client keeps them, undici does not.
 */
export function createRemoteHttp({ connect, answerTimeoutMs, credentials, address: own }: RemoteHttpOptions) {
  const closed = new AbortController();
  const ownHost = hostOf(own);
  const agents = { 'http:': createAgent('http'), 'https:': createAgent('https') };
  const ownAuthenticator = createAuthenticator(credentials);
  const noAuthenticator = createAuthenticator(null);

  /** Checks the host at each new connection. */
  function createAgent(scheme: 'http' | 'https'): Agent {
    const agent = new Agent({ keepAlive: true, maxSockets });
    agent.createConnection = ({ host, port }, done) => {
      const name = (host ?? '').replace(/^\[|\]$/g, '');
      const isTls = scheme === 'https';
      const isCertificateUnchecked = connect.isCertificateUnchecked && name === ownHost;
      connectStream(
        { scheme, isTls, host: name, port: Number(port), path: '/' },
        { ...connect, isCertificateUnchecked },
        closed.signal,
      ).then(
        (socket) => done?.(null, socket),
        (error: Error) => done?.(error, undefined as never),
      );
      return undefined;
    };
    return agent;
  }

  const sendOnce = (
    address: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const isTls = address.protocol === 'https:';
      const request = send({
        host: hostOf(address),
        port: Number(address.port) || (isTls ? 443 : 80),
        path: `${address.pathname}${address.search}`,
        agent: agents[isTls ? 'https:' : 'http:'],
        headers: { Host: address.host, ...headers },
        maxHeaderSize: maxHeaderBytes,
        // For cameras that end their lines with a line feed alone.
        insecureHTTPParser: true,
        signal,
      });
      // Rejects by itself: a destroyed request emits no error before it has a connection.
      const fail = (error: Error) => {
        reject(error);
        request.destroy(error);
      };
      const abort = () => fail(new DOMException('the request was aborted', 'AbortError'));
      const late = setTimeout(
        () => fail(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })),
        connect.connectTimeoutMs + answerTimeoutMs,
      );
      signal.addEventListener('abort', abort, { once: true });
      const settle = () => {
        clearTimeout(late);
        signal.removeEventListener('abort', abort);
      };
      request.on('error', (error) => reject(request.reusedSocket ? new ClosedConnection(error) : error));
      request.once('close', () => {
        settle();
        reject(new Error('the request ended without an answer'));
      });
      // Node destroys a request without an error where nobody listens for this event.
      request.once('upgrade', (_answer, socket) => {
        socket.destroy();
        reject(new StreamFailure('protocol', `${hostOf(address)} ${switchesProtocols}`));
      });
      request.once('response', (answer) => {
        settle();
        answer.on('error', () => undefined);
        answer.setTimeout(bodyTimeoutMs, () =>
          answer.destroy(new StreamFailure('timeout', `${hostOf(address)} sends nothing any more`)),
        );
        resolve(answer);
      });
      request.end();
    });

  /** Asks again where a kept connection was closed by the server before it had the request. */
  const sendRequest = async (...request: Parameters<typeof sendOnce>): Promise<IncomingMessage> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await sendOnce(...request);
      } catch (error) {
        if (!(error instanceof ClosedConnection)) throw error;
        if (attempt > maxSockets) throw error.cause;
      }
    }
  };

  const ask = async (
    address: URL,
    authenticator: Authenticator,
    range: string | undefined,
    signal: AbortSignal,
  ) => {
    for (let attempt = 1; ; attempt += 1) {
      const authorization = authenticator.authorize('GET', `${address.pathname}${address.search}`);
      const headers = {
        'User-Agent': 'Lynceus',
        Accept: '*/*',
        // Compressing video saves nothing. Some servers do it all the same.
        'Accept-Encoding': 'identity',
        ...(authorization !== undefined && { Authorization: authorization }),
        ...(range !== undefined && { Range: range }),
      };
      const answer = await sendRequest(address, headers, signal);
      const challenges = answer.headers['www-authenticate'];
      if (answer.statusCode !== 401 || attempt >= maxAttempts) return answer;
      if (challenges === undefined || !authenticator.accept([challenges])) return answer;
      await discard(answer);
    }
  };

  return {
    /** The answer to a GET, after redirects and authorization. Rejects with a `StreamFailure`, or the signal's reason. */
    async get(start: URL, { range, isLive }: RemoteRequest, signal: AbortSignal): Promise<RemoteAnswer> {
      let address = start;
      try {
        for (let hop = 0; hop <= maxRedirects; hop += 1) {
          const isOwn = address.origin === own.origin;
          const answer = await ask(address, isOwn ? ownAuthenticator : noAuthenticator, range, signal);
          const { statusCode: status = 0, headers } = answer;
          const { location } = headers;
          if (!redirects.has(status) || location === undefined) {
            const compressions = compressionsOf(headers['content-encoding']);
            const isPartOfCompressed = status === 206 && compressions.length > 0;
            const body = isPartOfCompressed ? null : decompress(answer, compressions, { isLive });
            if (body === null) {
              // An answer that nobody reads would keep its connection, of which there are few.
              answer.destroy();
              throw unsupported(compressions);
            }
            body.on('error', () => undefined);
            const isOwn = (name: string) => compressions.length === 0 || !ofCompressed.has(name);
            return {
              ...{ status, body, address },
              header: (name) => (isOwn(name) ? [headers[name]].flat()[0] : undefined),
            };
          }
          await discard(answer);
          address = followTo(location, address);
        }
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw explainConnection(error, hostOf(address));
      }
      throw new StreamFailure('protocol', `the server redirects more than ${maxRedirects} times`);
    },
    async close() {
      closed.abort();
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** Headers that say something of the compressed bytes. */
const ofCompressed: ReadonlySet<string> = new Set(['content-length', 'content-range', 'accept-ranges']);

function unsupported(compressions: readonly string[]): StreamFailure {
  return new StreamFailure(
    'protocol',
    `the server compresses its answer (Content-Encoding: ${compressions.join(', ')}), which cannot be read: switch that off at the server`,
  );
}

/** A request failed on a connection that an earlier one had used; `cause` is the error. */
class ClosedConnection extends Error {
  override readonly name = 'ClosedConnection';
  constructor(cause: Error) {
    super('a kept connection failed', { cause });
  }
}

function followTo(location: string, from: URL): URL {
  let address: URL;
  try {
    address = new URL(location, from);
  } catch {
    throw new StreamFailure('protocol', 'the server redirects to something that is no address');
  }
  if (address.protocol !== 'http:' && address.protocol !== 'https:') {
    throw new StreamFailure(
      'refused',
      'the server redirects to something that is neither http nor https, which is refused',
    );
  }
  return address;
}

async function discard(body: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > discardedBytes) break;
  }
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');
