import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Bytes as they arrive. A chunk is overwritten after the call. */
export interface ByteInput {
  /** To be called once. */
  start(onChunk: (chunk: Uint8Array) => void): void;
  pause(): void;
  resume(): void;
  destroy(): void;
  /** Resolves when everything has been read, or after `destroy`. */
  readonly closed: Promise<void>;
}

interface FramePipe {
  readonly input: ByteInput;
  /** For the child process, as its standard output; to be destroyed here when the child has it. */
  readonly childEnd: Socket;
}

const bufferBytes = 256 * 1024;
const host = '127.0.0.1';

/**
 * A connection for large amounts of bytes from a child process. Node allocates a buffer for each read of a usual pipe: at 30 MB a second
 * its garbage collector runs several times a second, over the whole heap. A socket that Node connects itself can read into one buffer.
 */
export async function openFramePipe(): Promise<FramePipe> {
  const server = createServer({ pauseOnConnect: true });
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  let onChunk: ((chunk: Uint8Array) => void) | null = null;
  const socket = connect({
    host,
    port,
    onread: {
      buffer: Buffer.alloc(bufferBytes),
      callback(count, buffer) {
        onChunk?.(buffer.subarray(0, count));
        return true;
      },
    },
  });
  socket.on('error', () => undefined);
  try {
    const childEnd = await acceptOwn(server, socket);
    return {
      childEnd,
      input: {
        start(listener) {
          onChunk = listener;
          socket.resume();
        },
        pause: () => void socket.pause(),
        resume: () => void socket.resume(),
        destroy: () => void socket.destroy(),
        closed: new Promise((resolve) => socket.once('close', () => resolve())),
      },
    };
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    server.close();
  }
}

/** The other end of our own connection; another program may be faster. */
async function acceptOwn(server: ReturnType<typeof createServer>, socket: Socket): Promise<Socket> {
  const others: Socket[] = [];
  const accepted = new Map<number | undefined, Socket>();
  let wake = () => {};
  server.on('connection', (each: Socket) => {
    each.on('error', () => undefined);
    accepted.set(each.remotePort, each);
    others.push(each);
    wake();
  });
  await once(socket, 'connect');
  for (;;) {
    const own = accepted.get(socket.localPort);
    if (own !== undefined) {
      for (const each of others) if (each !== own) each.destroy();
      return own;
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}
