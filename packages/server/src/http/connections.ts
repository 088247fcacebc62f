import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type LeaveSlot, takeSlot } from '../core/take-slot.js';

/** Why a connection has a reserved slot: all others are taken, or all of its address. */
export type Reserved = 'full' | 'address';

/** Whose requests are counted beside connections: an account's, and a client's behind a trusted proxy. */
type Holder = 'account' | 'client';

export type Connections = ReturnType<typeof followConnections>;

export interface ConnectionOptions {
  /** Open at once, the reserved ones aside. */
  readonly maxConnections: number;
  /** Above that, for health checks and administrators. */
  readonly reserved: number;
  /** Of one address. */
  readonly maxPerAddress: number;
  /** By what a connection's address is counted; null for one that stands for many clients, as a trusted proxy's does. */
  readonly addressOf: (socket: Socket) => string | null;
  /** Requests under way on one connection. */
  readonly maxInProgress: number;
  /** Answers a client that no connection is free, and closes its own. */
  readonly refuse: (socket: Socket) => void;
}

interface Connection {
  inProgress: number;
  readonly address: string | null;
  reserved: Reserved | null;
  leaveAddress: LeaveSlot | null;
  readonly claims: Map<Holder, { readonly key: string; readonly leave: LeaveSlot }>;
}

/**
 * Follows a server's connections, and keeps them within bounds.
 *
 * - When all slots are taken, or all of an address, a new connection gets that of the one (of that address) which has
 *   waited longest without a request under way: idle, silent, or sending its headers byte by byte. Clients who are served
 *   send theirs at once, so those who hold connections for nothing push out one another.
 * - Where every slot has a request, a new connection gets one of the reserved slots, by the same rule. What it asks for
 *   decides whether it is served, so no client holds such a slot by what is refused there, a body that goes on coming included.
 * - A connection with more than `maxInProgress` requests under way is closed. Node hands over every request of a chunk
 *   at once, and a chunk holds thousands of small ones: answering them all would hold the event loop for a second.
 *   Clients that send a request before the last is answered are rare, and none sends that many.
 */
export function followConnections(server: Server, options: ConnectionOptions) {
  const { maxConnections, reserved: maxReserved, maxPerAddress, addressOf, maxInProgress, refuse } = options;
  const open = new Map<Socket, Connection>();
  /** Those with no request under way, the one that has waited longest first. */
  const waiting = new Set<Socket>();
  const byAddress = new Map<string, number>();
  const byHolder = { account: new Map<string, number>(), client: new Map<string, number>() };
  let reservedCount = 0;
  let finishing = false;

  const setReserved = (connection: Connection, reserved: Reserved | null) => {
    if (connection.reserved === null && reserved !== null) reservedCount += 1;
    if (connection.reserved !== null && reserved === null) reservedCount -= 1;
    connection.reserved = reserved;
  };
  const endClaims = ({ claims }: Connection) => {
    for (const { leave } of claims.values()) leave();
    claims.clear();
  };
  const forget = (socket: Socket) => {
    waiting.delete(socket);
    const connection = open.get(socket);
    if (!connection) return;
    open.delete(socket);
    setReserved(connection, null);
    connection.leaveAddress?.();
    endClaims(connection);
  };
  const change = (socket: Socket, by: number): number => {
    const connection = open.get(socket);
    const count = (connection?.inProgress ?? 0) + by;
    if (connection && !socket.destroyed) {
      connection.inProgress = count;
      if (count === 0) {
        waiting.add(socket);
        endClaims(connection);
      } else waiting.delete(socket);
    }
    if (finishing && count === 0) socket.destroySoon();
    return count;
  };
  /** Frees the slot of the one that has waited longest among those that fit. */
  const pushOut = (fits: (connection: Connection) => boolean): boolean => {
    for (const socket of waiting) {
      const connection = open.get(socket);
      if (!connection || !fits(connection)) continue;
      forget(socket);
      socket.destroy();
      return true;
    }
    return false;
  };
  const takeAddress = (address: string | null): LeaveSlot | null =>
    address === null ? () => undefined : takeSlot(byAddress, address, maxPerAddress);
  const hasCapacity = () => open.size - reservedCount < maxConnections;
  const isOrdinary = ({ reserved }: Connection) => reserved === null;

  const admit = (address: string | null): Pick<Connection, 'reserved' | 'leaveAddress'> | null => {
    const ofAddress = (connection: Connection) => isOrdinary(connection) && connection.address === address;
    const leaveAddress = takeAddress(address) ?? (pushOut(ofAddress) ? takeAddress(address) : null);
    if (leaveAddress && (hasCapacity() || pushOut(isOrdinary))) return { reserved: null, leaveAddress };
    leaveAddress?.();
    const isThere = reservedCount < maxReserved || pushOut((connection) => !isOrdinary(connection));
    return isThere ? { reserved: leaveAddress ? 'full' : 'address', leaveAddress: null } : null;
  };

  server.on('connection', (socket: Socket) => {
    // It was turned away already.
    if (socket.destroyed) return;
    const address = addressOf(socket);
    const admitted = admit(address);
    if (!admitted) {
      refuse(socket);
      return;
    }
    const connection: Connection = {
      inProgress: 0,
      address,
      claims: new Map(),
      reserved: null,
      leaveAddress: admitted.leaveAddress,
    };
    setReserved(connection, admitted.reserved);
    open.set(socket, connection);
    change(socket, 0);
    socket.once('close', () => forget(socket));
  });

  const handlers = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const connection = open.get(socket);
    // A refused connection may send its request all the same.
    if (socket.destroyed || !connection) return;
    if (change(socket, 1) > maxInProgress) {
      socket.destroy();
      return;
    }
    response.once('close', () => {
      const over = () => change(socket, -1);
      // A client that was refused may still be sending, and listens when it has sent; a reserved slot is not held by that.
      if (request.complete || connection.reserved !== null) over();
      else request.once('end', over);
    });
    for (const handle of handlers) handle.call(server, request, response);
  });

  return {
    /**
     * Closes those with no request under way now, and each other one when its last request is answered. Node's own way
     * leaves out a connection that becomes idle later, and one on which a refused body was read to its end.
     */
    finish() {
      finishing = true;
      for (const socket of waiting) socket.destroySoon();
    },

    /** Why a connection may serve health checks and administrators alone; null when it may serve all, as once a slot is free. */
    reservedFor(socket: Socket): Reserved | null {
      const connection = open.get(socket);
      if (!connection || connection.reserved === null) return null;
      if (!hasCapacity()) return connection.reserved;
      const leaveAddress = takeAddress(connection.address);
      if (!leaveAddress) return 'address';
      connection.leaveAddress = leaveAddress;
      setReserved(connection, null);
      return null;
    },

    /** Counts a connection as this holder's until its requests are over; false when the holder has `max` of them. */
    claim(socket: Socket, holder: Holder, key: string, max: number): boolean {
      const connection = open.get(socket);
      // It is closed, and what it asked for leads nowhere.
      if (!connection) return true;
      const held = connection.claims.get(holder);
      if (held?.key === key) return true;
      held?.leave();
      connection.claims.delete(holder);
      const leave = takeSlot(byHolder[holder], key, max);
      if (leave) connection.claims.set(holder, { key, leave });
      return leave !== null;
    },
  };
}
