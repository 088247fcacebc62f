import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Component } from '../core/lifecycle.js';

interface HttpComponent extends Component {
  /** `http://HOST:PORT` as a client on this machine reaches it; empty before it listens. */
  readonly origin: string;
  /** Compiles what the routes need, which takes most of the start's own time and holds the thread; `start` waits for it. */
  prepare(): Promise<void>;
}

/** Time for the aborted requests to be answered, before their connections are cut. */
const lastAnswersMs = 1000;

/** The HTTP listener: it starts last, and when the service stops it is the first to refuse new requests. */
export function createHttpComponent(
  app: FastifyInstance,
  listen: { host: string; port: number },
  abortRequests: () => void,
): HttpComponent {
  let origin = '';
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= app.close().then(() => undefined);
    return closing;
  };
  return {
    name: 'http',
    get origin() {
      return origin;
    },
    async prepare() {
      await app.ready();
    },
    async start() {
      await app.listen({ host: listen.host, port: listen.port });
      const address = app.server.address();
      if (address && typeof address === 'object') origin = originOf(address);
    },
    isReady: () => (app.server.listening ? true : 'not listening'),
    async drain() {
      await close();
    },
    async stop() {
      const closed = close();
      abortRequests();
      const cut = setTimeout(() => app.server.closeAllConnections(), lastAnswersMs);
      await closed.finally(() => clearTimeout(cut));
    },
  };
}

function originOf({ address, family, port }: AddressInfo): string {
  const everywhere = address === '0.0.0.0' || address === '::';
  const host = everywhere ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
