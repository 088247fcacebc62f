import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { lookUpChecked } from '../../intake/allowed-host.js';
import { explainConnection } from './explain-connection.js';
import type { StreamAddress } from './parse-source.js';
import type { ReachStreamHost } from './stream-hosts.js';
import { withinTime } from './within-time.js';

export interface ConnectOptions {
  readonly reach: ReachStreamHost;
  readonly isCertificateUnchecked: boolean;
  /** For name, connection and TLS together. */
  readonly connectTimeoutMs: number;
}

/** Connects to a camera after the check of every address of its host, with TLS where its scheme says so. Throws `StreamFailure`. */
export async function connectStream(
  { host, port, isTls }: StreamAddress,
  { reach, isCertificateUnchecked, connectTimeoutMs }: ConnectOptions,
  signal: AbortSignal,
): Promise<Socket> {
  return withinTime(signal, connectTimeoutMs, async (within) => {
    let socket: Socket | undefined;
    try {
      const ips = await reach(host, port, within.signal);
      within.signal.throwIfAborted();
      const to = { host, port, lookup: lookUpChecked(ips) };
      socket = isTls
        ? connectTls({
            ...to,
            ...(isIP(host) === 0 && { servername: host }),
            rejectUnauthorized: !isCertificateUnchecked,
          })
        : connectTcp(to);
      await once(socket, isTls ? 'secureConnect' : 'connect', { signal: within.signal });
      socket.setNoDelay(true);
      return socket;
    } catch (error) {
      socket?.on('error', () => undefined).destroy();
      if (signal.aborted) throw signal.reason;
      throw explainConnection(error, host, within.isLate());
    }
  });
}

/** Writes, and waits while the other side is slow. Resolves also when the connection ends. */
export async function writeSlowly(socket: Socket, bytes: Buffer): Promise<void> {
  if (socket.destroyed || socket.writableEnded || socket.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.once('drain', done);
    socket.once('close', done);
  });
}
