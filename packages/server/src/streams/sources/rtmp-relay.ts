import { createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { type ConnectOptions, connectStream } from './connect-stream.js';
import { explainConnection } from './explain-connection.js';
import type { Credentials } from './http-auth.js';
import { listenLocally } from './local-listener.js';
import { authorityOf, streamAddress } from './parse-source.js';
import { createRtmpAdmission } from './rtmp-admission.js';
import { type OpenedSource, StreamFailure } from './stream-source.js';

/** ffmpeg connects three times where a server asks for user name and password. One more may be a stranger's. */
const maxConnections = 4;

interface RtmpRelayOptions {
  /** Without user name and password; its path holds the key of the stream. */
  readonly url: string;
  readonly credentials: Credentials | null;
  readonly connect: ConnectOptions;
}

/**
 * A port for one ffmpeg that leads to a server of RTMP, whose address is checked; TLS is added here. ffmpeg speaks the protocol, so it
 * needs path and password: it reads them from a list (ffconcat) at a descriptor, because all users of the machine see its arguments. The
 * list has a token too, without which no program of the machine gets beyond a handshake with the server. Rejects with a `StreamFailure`, or the signal's reason.
 */
export async function openRtmpRelay(
  { url, credentials, connect }: RtmpRelayOptions,
  signal: AbortSignal,
): Promise<OpenedSource> {
  const address = streamAddress(url);
  if (address === null) throw new StreamFailure('settings', 'the address of the source is no RTMP address');
  const admission = createRtmpAdmission();
  const stop = new AbortController();
  const servers = new Set<Socket>();
  let failure: StreamFailure | null = null;
  const connectServer = async (within: AbortSignal): Promise<Socket> => {
    const server = await connectStream(address, connect, within);
    servers.add(server);
    server.on('error', () => undefined);
    server.once('close', () => servers.delete(server));
    return server;
  };
  // At once: no ffmpeg is started for a server that is away.
  let first: Socket | null = await connectServer(signal);
  let connections = 0;
  const relay = async (client: Socket): Promise<void> => {
    connections += 1;
    if (connections > maxConnections) return void client.destroy();
    const server = first ?? (await connectServer(stop.signal));
    first = null;
    server.on('error', (error) => {
      // That a client ends is no failure of the server.
      if (!client.destroyed) failure = explainConnection(error, address.host);
    });
    try {
      await Promise.all([pipeline(client, admission.pass, server), pipeline(server, client)]);
    } finally {
      server.destroy();
    }
  };
  const relayOrCut = (client: Socket) =>
    relay(client).catch((error: unknown) => {
      if (error instanceof StreamFailure) failure = error;
      client.destroy();
    });
  const listener = await listenLocally(createServer((client) => void relayOrCut(client)));
  const user =
    credentials === null
      ? ''
      : `${encodeURIComponent(credentials.username)}:${encodeURIComponent(credentials.password)}@`;
  return {
    inputArgs: [
      ...['-protocol_whitelist', 'pipe,fd,rtmp,tcp', '-format_whitelist', 'concat,flv,live_flv'],
      ...['-f', 'concat', '-safe', '0', '-i', 'pipe:5'],
    ],
    // Servers of several hosts look at the one in tcurl.
    copyArgs: [],
    inputText: [
      'ffconcat version 1.0',
      `file ${quote(`rtmp://${user}127.0.0.1:${listener.port}${address.path}`)}`,
      'option analyzeduration 1000000',
      'option fpsprobesize 0',
      `option rtmp_conn ${quote(admission.connectValue)}`,
      `option rtmp_tcurl ${quote(`${address.scheme}://${authorityOf(address)}${applicationOf(address.path)}`)}`,
      '',
    ].join('\n'),
    failure: () => failure,
    async close() {
      stop.abort();
      for (const server of servers) server.destroy();
      await listener.close();
    },
  };
}

/** The application, as ffmpeg reads it from a path: its first part, or the first two of more than two. */
function applicationOf(path: string): string {
  const parts = (path.split('?')[0] ?? '').split('/').filter((part) => part !== '');
  return `/${parts.slice(0, Math.min(2, Math.max(1, parts.length - 1))).join('/')}`;
}

/** As ffmpeg's lists quote: nothing is special between quotation marks but the mark itself. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
