import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes a connection that has more than `maxInProgress` requests under way. Node hands over every request of a chunk at
 * once, and a chunk holds thousands of small ones: answering them all would hold the event loop for a second. Clients that
 * send a request before the last is answered are rare, and none sends that many.
 */
export function limitPipelining(server: Server, maxInProgress: number): void {
  const handlers = server.listeners('request');
  const inProgress = new WeakMap<Socket, number>();
  const change = (socket: Socket, by: number): number => {
    const count = (inProgress.get(socket) ?? 0) + by;
    inProgress.set(socket, count);
    return count;
  };
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (socket.destroyed) return;
    if (change(socket, 1) > maxInProgress) {
      socket.destroy();
      return;
    }
    response.once('close', () => change(socket, -1));
    for (const handle of handlers) handle.call(server, request, response);
  });
}
