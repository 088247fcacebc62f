import { createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { type ConnectOptions, connectStream } from './connect-stream.js';
import { explainConnection } from './explain-connection.js';
import type { Credentials } from './http-auth.js';
import { listenLocally } from './local-listener.js';
import { authorityOf, streamAddress } from './parse-source.js';
import { type OpenedSource, StreamFailure } from './stream-source.js';

export interface RtmpRelayOptions {
  /** Without user name and password; its path holds the key of the stream. */
  readonly url: string;
  readonly credentials: Credentials | null;
  readonly connect: ConnectOptions;
}

/**
 * A port for one ffmpeg that leads to a server of RTMP, whose address is checked; TLS is added here. ffmpeg speaks the protocol, so it
 * needs path and password: it reads them from a list (ffconcat) at a descriptor, because all users of the machine see its arguments.
 * Rejects with a `StreamFailure`, or the signal's reason.
 */
export async function openRtmpRelay(
  { url, credentials, connect }: RtmpRelayOptions,
  signal: AbortSignal,
): Promise<OpenedSource> {
  const address = streamAddress(url);
  if (address === null) throw new StreamFailure('settings', 'the address of the source is no RTMP address');
  const server = await connectStream(address, connect, signal);
  server.on('error', () => undefined);
  let failure: StreamFailure | null = null;
  let isTaken = false;
  const relay = async (client: Socket) => {
    // There is one ffmpeg, and it connects once.
    if (isTaken) return client.destroy();
    isTaken = true;
    await Promise.all([pipeline(client, server), pipeline(server, client)]).catch((error: unknown) => {
      // That ffmpeg ends is no failure of the server.
      if (!client.destroyed) failure = explainConnection(error, address.host);
    });
    server.destroy();
    return client.destroy();
  };
  const listener = await listenLocally(createServer((client) => void relay(client)));
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
      `option rtmp_tcurl ${quote(`${address.scheme}://${authorityOf(address)}${applicationOf(address.path)}`)}`,
      '',
    ].join('\n'),
    failure: () => failure,
    async close() {
      server.destroy();
      await listener.close();
    },
  };
}

/** All but the last part of a path, which names the stream. */
function applicationOf(path: string): string {
  const plain = path.split('?')[0] ?? '';
  const parts = plain.split('/').filter((part) => part !== '');
  return `/${(parts.length > 1 ? parts.slice(0, -1) : parts).join('/')}`;
}

/** As ffmpeg's lists quote: nothing is special between quotation marks but the mark itself. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
