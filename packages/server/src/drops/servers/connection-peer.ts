import type { Socket } from 'node:net';
import { createIsTrusted } from '../../core/trusted-proxies.js';
import { bareAddress } from './client-network.js';
import { type ProxyHeader, parseProxyHeader } from './proxy-header.js';

/** Between whom a connection is, as its client sees it. */
interface ConnectionPeer {
  readonly clientAddress: string;
  /** The address that the client connected to: the socket's own, or the proxy's. */
  readonly reachedAddress: string;
}

/** Null for a connection that is to be closed: without a right header of a proxy that must send one, or gone already. */
export type IdentifyPeer = (socket: Socket) => Promise<ConnectionPeer | null>;

interface IdentifyPeerDeps {
  /** Addresses and networks of proxies whose connections begin with a header of the PROXY protocol; no others may. */
  readonly proxies: readonly string[];
  readonly headerTimeoutMs: number;
  /** Connections at once whose header is being read. */
  readonly maxWaiting: number;
  readonly onBadHeader: (address: string, why: BadHeader) => void;
}

export type BadHeader = 'malformed' | 'late' | 'cut' | 'too many wait';

/**
 * Who is at the other end of a connection, by the word of a trusted proxy where it comes from one. What a trusted proxy sends without a
 * header is refused, since anybody may be behind it.
 */
export function createIdentifyPeer({
  proxies,
  headerTimeoutMs,
  maxWaiting,
  onBadHeader,
}: IdentifyPeerDeps): IdentifyPeer {
  const isProxy = createIsTrusted(proxies);
  let waiting = 0;
  const read = async (socket: Socket): Promise<HeaderRead> => {
    if (waiting >= maxWaiting) return 'too many wait';
    waiting++;
    return readHeader(socket, headerTimeoutMs).finally(() => waiting--);
  };
  return async (socket) => {
    const { remoteAddress, localAddress } = socket;
    // The client has disconnected already.
    if (remoteAddress === undefined || localAddress === undefined) return null;
    const own = { clientAddress: remoteAddress, reachedAddress: localAddress };
    if (!isProxy(bareAddress(remoteAddress))) return own;
    const header = await read(socket);
    if (typeof header === 'string') {
      // A check whether the port is open ends so.
      if (header !== 'silent') onBadHeader(bareAddress(remoteAddress), header);
      return null;
    }
    if (header.addresses === null) return own;
    return { clientAddress: header.addresses.client, reachedAddress: header.addresses.reached };
  };
}

type HeaderRead = ProxyHeader | BadHeader | 'silent';

/** Leaves the socket paused, with what follows the header. */
function readHeader(socket: Socket, timeoutMs: number): Promise<HeaderRead> {
  return new Promise((resolve) => {
    let received: Buffer = Buffer.alloc(0);
    const finish = (found: HeaderRead): void => {
      clearTimeout(timer);
      socket.off('data', onData).off('end', onEnd).off('close', onEnd);
      socket.pause();
      if (typeof found === 'object' && received.length > found.lengthBytes) {
        socket.unshift(received.subarray(found.lengthBytes));
      }
      resolve(found);
    };
    const onData = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const parsed = parseProxyHeader(received);
      if (parsed !== 'incomplete') finish(parsed);
    };
    const onEnd = (): void => finish(received.length === 0 ? 'silent' : 'cut');
    const timer = setTimeout(() => finish('late'), timeoutMs);
    socket.on('data', onData).on('end', onEnd).on('close', onEnd).resume();
  });
}
