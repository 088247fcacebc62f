import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { bareAddress } from '../servers/client-network.js';
import type { IdentifyPeer } from '../servers/connection-peer.js';
import { readAheadBytes } from './data-connection.js';
import { TransferError } from './reply.js';

/** A data connection that was negotiated, before a transfer uses it. */
export interface PendingData {
  /** The connection, paused. Throws `TransferError` when it is not established in time, or the signal fires. Called once. */
  open(timeoutMs: number, signal: AbortSignal): Promise<Socket>;
  /** Releases the port, and closes a connection that is already established. */
  discard(): void;
}

/** Both ends included; 0 to 0 means any free port. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** One account may hold half of the shared ports, so that others find a free one. */
export function portsOfOneAccount({ first, last }: PortRange): number {
  return first === 0 ? Number.POSITIVE_INFINITY : Math.ceil((last - first + 1) / 2);
}

interface PassiveOptions {
  /** The local address of the control connection. */
  readonly localAddress: string;
  readonly ports: PortRange;
  /** The only address that may connect, directly or through a proxy: the client's of the control connection. */
  readonly peerAddress: string;
  readonly identifyPeer: IdentifyPeer;
  /** The port is released when no transfer has requested the connection by then. */
  readonly expiresAfterMs: number;
  readonly onForeignConnection: (address: string) => void;
  /** Called once when the port is released, and when none was found. */
  readonly onFree: () => void;
}

export interface PassiveData extends PendingData {
  readonly port: number;
}

/** Connections at once of which it is not known yet whose they are. */
const maxCandidates = 16;

/** Listens for one data connection; null when every port of the range is in use. */
export async function listenPassive(options: PassiveOptions): Promise<PassiveData | null> {
  const peer = bareAddress(options.peerAddress);
  // Half-open: the client may finish sending while the server still sends. Paused: nothing is read before the transfer starts.
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, highWaterMark: readAheadBytes });
  const port = await listenWithin(server, bareAddress(options.localAddress), options.ports);
  let isFree = false;
  const free = (): void => {
    server.close();
    if (!isFree) options.onFree();
    isFree = true;
  };
  if (port === null) {
    free();
    return null;
  }

  let arrived: Socket | null = null;
  let isDiscarded = false;
  /** Those that are not known yet to be of the client. */
  const candidates = new Set<Socket>();
  const dropCandidates = (): void => {
    for (const socket of candidates) socket.destroy();
  };
  const discard = (): void => {
    isDiscarded = true;
    clearTimeout(expiry);
    free();
    arrived?.destroy();
    dropCandidates();
    server.emit('discarded');
  };
  const expiry = setTimeout(discard, options.expiresAfterMs);
  server.on('error', discard);
  const admit = async (socket: Socket): Promise<void> => {
    const identified = await options.identifyPeer(socket);
    const address = identified && bareAddress(identified.clientAddress);
    candidates.delete(socket);
    if (address !== peer || arrived || isDiscarded) {
      if (address !== null && address !== peer) options.onForeignConnection(address);
      socket.destroy();
      return;
    }
    arrived = socket;
    free();
    dropCandidates();
    server.emit('arrived');
  };
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy());
    if (candidates.size >= maxCandidates) {
      socket.destroy();
      return;
    }
    candidates.add(socket);
    void admit(socket);
  });

  return {
    port,
    discard,
    async open(timeoutMs, signal) {
      clearTimeout(expiry);
      if (!arrived && !isDiscarded) {
        const wait = new AbortController();
        const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs), wait.signal]);
        await Promise.race([
          once(server, 'arrived', { signal: limit }),
          once(server, 'discarded', { signal: limit }),
        ])
          .catch(() => undefined)
          .finally(() => wait.abort());
      }
      const socket: Socket | null = arrived;
      if (socket && !isDiscarded && !signal.aborted) return socket;
      discard();
      if (signal.aborted) throw new TransferError('aborted', 'The transfer was given up.');
      throw new TransferError('not-opened', 'No data connection came from your address in time.');
    },
  };
}

/** Starts at a random port of the range, so that the next port cannot be predicted from the last. */
async function listenWithin(
  server: Server,
  host: string,
  { first, last }: PortRange,
): Promise<number | null> {
  const count = last - first + 1;
  const start = Math.floor(Math.random() * count);
  for (let index = 0; index < count; index++) {
    const port = first + ((start + index) % count);
    if (await listen(server, host, port)) {
      const address = server.address();
      return typeof address === 'object' && address ? address.port : port;
    }
  }
  return null;
}

/** False when the port is in use. */
function listen(server: Server, host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const fail = () => resolve(false);
    server.once('error', fail);
    server.listen({ host, port, exclusive: true, backlog: 4 }, () => {
      server.off('error', fail);
      resolve(true);
    });
  });
}

/** A data connection that the server opens; the caller has checked that the address is the client's. */
export function connectActive(address: string, port: number): PendingData {
  return {
    discard: () => undefined,
    open: (timeoutMs, signal) =>
      new Promise((resolve, reject) => {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
        const socket = connect({ host: address, port, allowHalfOpen: true, signal: limit });
        socket.on('error', (cause) => {
          socket.destroy();
          reject(
            signal.aborted
              ? new TransferError('aborted', 'The transfer was given up.')
              : new TransferError('not-opened', `Nothing answers at port ${port} of your address.`, {
                  cause,
                }),
          );
        });
        socket.once('connect', () => {
          socket.pause();
          resolve(socket);
        });
      }),
  };
}
