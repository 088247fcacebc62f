import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /**
   * Closes those with no request under way now, and each other one when its last request is answered. Node's own way
   * leaves out a connection that becomes idle later, and one on which a refused body was read to its end.
   */
  finish(): void;
}

/**
 * Follows a server's connections, and closes one that has more than `maxInProgress` requests under way. Node hands over
 * every request of a chunk at once, and a chunk holds thousands of small ones: answering them all would hold the event loop
 * for a second. Clients that send a request before the last is answered are rare, and none sends that many.
 */
export function followConnections(server: Server, maxInProgress: number): Connections {
  const inProgress = new Map<Socket, number>();
  let finishing = false;
  const change = (socket: Socket, by: number): number => {
    const count = (inProgress.get(socket) ?? 0) + by;
    if (!socket.destroyed) inProgress.set(socket, count);
    if (finishing && count === 0) socket.destroySoon();
    return count;
  };
  server.on('connection', (socket: Socket) => {
    inProgress.set(socket, 0);
    socket.once('close', () => inProgress.delete(socket));
  });

  const handlers = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (socket.destroyed) return;
    if (change(socket, 1) > maxInProgress) {
      socket.destroy();
      return;
    }
    response.once('close', () => {
      const over = () => change(socket, -1);
      // A client that was refused may still be sending, and listens when it has sent.
      if (request.complete) over();
      else request.once('end', over);
    });
    for (const handle of handlers) handle.call(server, request, response);
  });

  return {
    finish() {
      finishing = true;
      for (const [socket, count] of inProgress) if (count === 0) socket.destroySoon();
    },
  };
}
