import { Agent, buildConnector, type Dispatcher } from 'undici';
import { lookUpChecked } from '../../intake/allowed-host.js';
import type { ConnectOptions } from './connect-stream.js';
import { explainConnection } from './explain-connection.js';
import { type Authenticator, type Credentials, createAuthenticator } from './http-auth.js';
import { StreamFailure } from './stream-source.js';

export interface RemoteAnswer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Dispatcher.ResponseData['body'];
  /** After redirects. */
  readonly address: URL;
}

export interface RemoteHttp {
  /** The answer to a GET, after redirects and authorization. Rejects with a `StreamFailure`, or the signal's reason. */
  get(address: URL, range: string | undefined, signal: AbortSignal): Promise<RemoteAnswer>;
  close(): Promise<void>;
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
const maxHeaderBytes = 32_768;
const bodyTimeoutMs = 60_000;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A client of HTTP that connects to checked addresses alone, whatever a redirect or a playlist names, and knows no proxy. */
export function createRemoteHttp({
  connect,
  answerTimeoutMs,
  credentials,
  address: own,
}: RemoteHttpOptions): RemoteHttp {
  const agent = new Agent({
    connect: checkedConnector(connect, hostOf(own)),
    connections: 4,
    pipelining: 1,
    headersTimeout: answerTimeoutMs,
    bodyTimeout: bodyTimeoutMs,
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: 10_000,
  });
  const ownAuthenticator = createAuthenticator(credentials);
  const noAuthenticator = createAuthenticator(null);

  const ask = async (
    address: URL,
    authenticator: Authenticator,
    range: string | undefined,
    signal: AbortSignal,
  ) => {
    for (let attempt = 1; ; attempt += 1) {
      const path = `${address.pathname}${address.search}`;
      const authorization = authenticator.authorize('GET', path);
      const answer = await agent.request({
        origin: address.origin,
        path,
        method: 'GET',
        headers: {
          'user-agent': 'Lynceus',
          accept: '*/*',
          // A compressed answer could unfold without bound.
          'accept-encoding': 'identity',
          ...(authorization !== undefined && { authorization }),
          ...(range !== undefined && { range }),
        },
        signal,
      });
      answer.body.on('error', () => undefined);
      const challenges = answer.headers['www-authenticate'];
      if (answer.statusCode !== 401 || attempt >= maxAttempts) return answer;
      if (challenges === undefined || !authenticator.accept([challenges].flat())) return answer;
      await discard(answer);
    }
  };

  return {
    async get(start, range, signal) {
      let address = start;
      try {
        for (let hop = 0; hop <= maxRedirects; hop += 1) {
          const isOwn = address.origin === own.origin;
          const answer = await ask(address, isOwn ? ownAuthenticator : noAuthenticator, range, signal);
          const location = headerOf(answer, 'location');
          if (!redirects.has(answer.statusCode) || location === undefined) {
            const at = address;
            return {
              status: answer.statusCode,
              header: (name) => headerOf(answer, name),
              body: answer.body,
              address: at,
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
    close: () => agent.destroy(),
  };
}

/** Checks the host at each new connection. */
function checkedConnector(options: ConnectOptions, ownHost: string): buildConnector.connector {
  return (target, done) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
    options.reach(host, port, AbortSignal.timeout(options.connectTimeoutMs)).then(
      (ips) => {
        const connectTo = buildConnector({
          timeout: options.connectTimeoutMs,
          lookup: lookUpChecked(ips),
          rejectUnauthorized: !(options.isCertificateUnchecked && host === ownHost),
        });
        connectTo(target, done);
      },
      (error: unknown) => done(explainConnection(error, host), null),
    );
  };
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

/** Little is read, so that the connection can be used again. */
async function discard({ body }: Dispatcher.ResponseData): Promise<void> {
  await body.dump({ limit: 16_384 });
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  return [headers[name]].flat()[0];
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');
