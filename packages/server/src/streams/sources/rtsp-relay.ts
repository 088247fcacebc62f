import { randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { connectStream } from './connect-stream.js';
import { listenLocally } from './local-listener.js';
import { streamAddress } from './parse-source.js';
import { RtspParser, writeMessage } from './rtsp-messages.js';
import { RtspSession, type RtspSessionOptions } from './rtsp-session.js';
import { type OpenedSource, StreamFailure } from './stream-source.js';

export interface RtspRelayOptions
  extends Omit<RtspSessionOptions, 'address' | 'firstSocket' | 'localBase' | 'onFailure'> {
  /** Without user name and password. */
  readonly url: string;
}

/**
 * A server of RTSP for one ffmpeg. It connects to the camera after the check of its address, adds user name and password, and
 * passes on video alone, under names of its own. It connects at once: no ffmpeg is started for a camera that is away. Rejects with a
 * `StreamFailure`, or the signal's reason.
 */
export async function openRtspRelay(
  { url, ...options }: RtspRelayOptions,
  signal: AbortSignal,
): Promise<OpenedSource> {
  const address = streamAddress(url);
  if (address === null) throw new StreamFailure('settings', 'the address of the source is no RTSP address');
  const firstSocket = await connectStream(address, options.connect, signal);
  // What ends it shows when it is used.
  firstSocket.on('error', () => undefined);
  const path = `/${randomBytes(16).toString('hex')}`;
  let isTaken = false;
  let failure: StreamFailure | null = null;
  const onFailure = (noticed: StreamFailure) => {
    failure ??= noticed;
  };
  const sessions = new Set<Promise<void>>();

  const serve = async (client: Socket): Promise<void> => {
    let session: RtspSession | null = null;
    const parser = new RtspParser();
    const source: AsyncIterable<Buffer> = client;
    try {
      for await (const chunk of source) {
        for (const item of parser.push(chunk)) {
          if (session === null) {
            // The first request says who it is; there is one ffmpeg.
            if (isTaken || item.kind !== 'request' || !item.uri.startsWith(`${base()}`)) {
              client.end(writeMessage('RTSP/1.0 404 Not Found', []));
              return;
            }
            isTaken = true;
            session = new RtspSession(client, {
              ...options,
              address,
              firstSocket,
              localBase: base(),
              onFailure,
            });
          }
          if (item.kind === 'request') await session.answer(item);
          else if (item.kind === 'frames') await session.sendFrames(item.bytes);
        }
      }
    } catch {
      // Of ffmpeg's side: it was ended, which is no failure of the camera.
    } finally {
      await session?.close();
      client.destroySoon();
    }
  };
  const server = createServer((client) => {
    const served = serve(client).finally(() => sessions.delete(served));
    sessions.add(served);
  });
  const listener = await listenLocally(server);
  const base = () => `rtsp://127.0.0.1:${listener.port}${path}`;
  return {
    inputArgs: [
      ...['-protocol_whitelist', options.transport === 'udp' ? 'tcp,udp,rtp' : 'tcp,rtp'],
      ...['-rtsp_transport', options.transport, '-allowed_media_types', 'video'],
      ...(options.transport === 'udp' ? ['-buffer_size', '2097152'] : []),
      ...['-f', 'rtsp', '-i', base()],
    ],
    // Cameras state the parameters of their codec apart; a copy needs them in the stream.
    copyArgs: ['-bsf:v', 'dump_extra'],
    inputText: null,
    failure: () => failure,
    async close() {
      if (!isTaken) firstSocket.destroy();
      await listener.close();
      await Promise.all(sessions);
    },
  };
}
