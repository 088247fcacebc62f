import { connect, type Socket } from 'node:net';

/** A connection on which a test writes what no proper client would. */
export interface Connection {
  readonly socket: Socket;
  /** What the service said until it closed the connection, or until nothing came for `quietMs`. */
  read(quietMs?: number): Promise<string>;
}

export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let said = '';
  let heardAt = Date.now();
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    heardAt = Date.now();
  });
  socket.on('error', () => undefined);
  return {
    socket,
    async read(quietMs = 5000) {
      heardAt = Date.now();
      while (!socket.destroyed && !socket.readableEnded && Date.now() - heardAt < quietMs) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return said;
    },
  };
}
