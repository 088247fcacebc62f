import { once } from 'node:events';
import type { Server, Socket } from 'node:net';

/** Lets a server listen on a free port of 127.0.0.1, which other machines cannot reach. */
export async function listenLocally(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    // ffmpeg may be killed at any moment.
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the relay has no port');
  let closed: Promise<void> | undefined;
  return {
    port: address.port,
    /** Ends all connections. Resolves when the port is free; may be called again. */
    close() {
      closed ??= new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      });
      return closed;
    },
  };
}
