import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /**
   * Closes those with no request under way now, and each other one when its last request is answered. Node's own way
   * leaves out a connection that becomes idle later, and one on which a refused body was read to its end.
   */
  finish(): void;
}

export interface ConnectionOptions {
  /** Open at once. */
  readonly maxConnections: number;
  /** Requests under way on one connection. */
  readonly maxInProgress: number;
  /** Tells a client that there is no place for it, and closes its connection. */
  readonly refuse: (socket: Socket) => void;
}

/**
 * Follows a server's connections, and keeps them within bounds.
 *
 * - When all places are taken, a new connection gets that of the one which has waited longest without a request under
 *   way: idle, silent, or sending its headers byte by byte. Clients who are served send theirs at once, so those who
 *   hold connections for nothing push out one another. Only when every place has a request is the new one refused.
 * - A connection with more than `maxInProgress` requests under way is closed. Node hands over every request of a chunk
 *   at once, and a chunk holds thousands of small ones: answering them all would hold the event loop for a second.
 *   Clients that send a request before the last is answered are rare, and none sends that many.
 */
export function followConnections(
  server: Server,
  { maxConnections, maxInProgress, refuse }: ConnectionOptions,
): Connections {
  const inProgress = new Map<Socket, number>();
  /** Those with no request under way, the one that has waited longest first. */
  const waiting = new Set<Socket>();
  let finishing = false;

  const forget = (socket: Socket) => {
    inProgress.delete(socket);
    waiting.delete(socket);
  };
  const change = (socket: Socket, by: number): number => {
    const count = (inProgress.get(socket) ?? 0) + by;
    if (!socket.destroyed) {
      inProgress.set(socket, count);
      if (count === 0) waiting.add(socket);
      else waiting.delete(socket);
    }
    if (finishing && count === 0) socket.destroySoon();
    return count;
  };
  const makeRoom = (): boolean => {
    if (inProgress.size < maxConnections) return true;
    const [longestWaiting] = waiting;
    if (longestWaiting === undefined) return false;
    forget(longestWaiting);
    longestWaiting.destroy();
    return true;
  };

  server.on('connection', (socket: Socket) => {
    if (!makeRoom()) {
      refuse(socket);
      return;
    }
    change(socket, 0);
    socket.once('close', () => forget(socket));
  });

  const handlers = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // A refused connection may send its request all the same.
    if (socket.destroyed || !inProgress.has(socket)) return;
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
      for (const socket of waiting) socket.destroySoon();
    },
  };
}
