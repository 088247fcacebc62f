import type { Duplex } from 'node:stream';
import { type SecureContext, TLSSocket } from 'node:tls';

/** The serving side of TLS over a stream; null when the handshake fails or takes too long: then the stream is of no more use. */
export async function openTls(
  stream: Duplex,
  secureContext: SecureContext,
  timeoutMs: number,
  highWaterMark?: number,
): Promise<TLSSocket | null> {
  // Node's types do not know `highWaterMark` here, which it takes.
  const options = { isServer: true, secureContext, highWaterMark };
  const socket = new TLSSocket(stream, options);
  let timer: NodeJS.Timeout | undefined;
  const isOpen = await new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
    socket.once('secure', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    stream.once('close', () => resolve(false));
  });
  clearTimeout(timer);
  if (isOpen) return socket;
  socket.destroy();
  return null;
}
