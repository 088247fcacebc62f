import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { Pair } from './rtsp-transport.js';
import { StreamFailure } from './stream-source.js';

/** Two pairs of ports, for RTP and RTCP: one that the camera sends to, one that ffmpeg takes for the camera's. */
export type UdpPath = Awaited<ReturnType<typeof openUdpPath>>;

/** A key frame comes as a burst of datagrams. */
const receiveBufferBytes = 4 * 1024 * 1024;
const attempts = 20;
const loopback = '127.0.0.1';

/** `localAddress` is the one that the camera is reached from, `clientPort` where ffmpeg listens on 127.0.0.1. */
export async function openUdpPath({
  localAddress,
  clientPort,
}: {
  readonly localAddress: string;
  readonly clientPort: Pair;
}) {
  const opened: Socket[] = [];
  const close = async () => {
    await Promise.all(
      opened.splice(0).map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))),
    );
  };
  try {
    const outside = await openPair(localAddress, opened);
    const inside = await openPair(loopback, opened);
    return {
      remoteSidePorts: portsOf(outside),
      localSidePorts: portsOf(inside),
      /** From now on passes on what the camera's address sends, and only that; from its announced ports where it announces any. */
      connect(remoteAddress: string, remotePorts: Pair | null) {
        for (const side of [0, 1] as const) {
          const port = remotePorts?.[side] ?? null;
          outside[side].on('message', (datagram, from) => {
            if (from.address !== remoteAddress || (port !== null && from.port !== port)) return;
            inside[side].send(datagram, clientPort[side], loopback, ignoreError);
          });
          inside[side].on('message', (datagram, from) => {
            if (port === null || from.address !== loopback || from.port !== clientPort[side]) return;
            outside[side].send(datagram, port, remoteAddress, ignoreError);
          });
        }
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A datagram that cannot be sent is lost, as others are. */
const ignoreError = () => undefined;

/** An even port and the next one (RFC 3550, section 11). */
async function openPair(address: string, opened: Socket[]): Promise<readonly [Socket, Socket]> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const first = await bind(address, 0);
    const { port } = first.address();
    const second = port % 2 === 0 ? await bind(address, port + 1).catch(() => null) : null;
    if (second !== null) {
      opened.push(first, second);
      return [first, second];
    }
    await new Promise<void>((resolve) => first.close(() => resolve()));
  }
  throw new StreamFailure('decoder', 'the service finds no two free ports for UDP; try TCP as transport');
}

async function bind(address: string, port: number): Promise<Socket> {
  const type = isIPv6(address) ? 'udp6' : 'udp4';
  const socket = createSocket({ type, recvBufferSize: receiveBufferBytes });
  try {
    socket.bind({ address, port, exclusive: true });
    await once(socket, 'listening');
    socket.on('error', ignoreError);
    return socket;
  } catch (error) {
    socket.close();
    throw error;
  }
}

const portsOf = ([rtp, rtcp]: readonly [Socket, Socket]): Pair => [rtp.address().port, rtcp.address().port];
