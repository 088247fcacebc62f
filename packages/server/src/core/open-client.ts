import type { Socket } from 'node:net';
import { buildConnector, Client } from 'undici';

export interface ClientOptions extends Omit<Client.Options, 'connect'> {
  readonly connect: buildConnector.BuildOptions;
}

/** How often a connection that has ended asks whether the reader of the body has gone on. */
const retryMs = 20;

/**
 * A client for one origin. undici 7, the last that runs on Node 20, ends the process where a server closes its connection while a
 * body waits for its reader: an assertion in its parser, out of reach of any handler, which undici 8 lacks. So here the end of a
 * connection waits until the reader has gone on, and a reset is an error like others.
 */
export function openClient(origin: string, { connect, ...options }: ClientOptions): Client {
  // Otherwise Node would close the connection behind its end.
  const connector = buildConnector({ ...connect, allowHalfOpen: true });
  return new Client(origin, {
    ...options,
    connect: (to, callback) =>
      connector(to, (...[error, socket]) => {
        if (error) callback(error, null);
        else {
          holdEnds(socket);
          callback(null, socket);
        }
      }),
  });
}

type Listener = (...values: readonly unknown[]) => void;

/** Wraps what undici is about to listen with. */
function holdEnds(socket: Socket): void {
  socket.on('newListener', (event: string, listener: Listener) => {
    const wrapped = wrappers[event]?.(socket, listener);
    if (wrapped === undefined || ours.has(listener)) return;
    ours.add(wrapped);
    process.nextTick(() => {
      if (!socket.listeners(event).includes(listener)) return;
      socket.off(event, listener);
      socket.on(event, wrapped);
    });
  });
}

const ours = new WeakSet<Listener>();

const wrappers: Readonly<Record<string, (socket: Socket, listener: Listener) => Listener>> = {
  end: (socket, listener) => {
    const end = () => {
      if (socket.destroyed) return;
      try {
        listener.call(socket);
      } catch (error) {
        if (!isPaused(error)) throw error;
        setTimeout(end, retryMs);
      }
    };
    return end;
  },
  error: (socket, listener) => (error) => {
    const isReset = error instanceof Error && Reflect.get(error, 'code') === 'ECONNRESET';
    listener.call(socket, isReset ? new Error('the connection was reset', { cause: error }) : error);
  },
};

/** Thrown before anything is changed. */
function isPaused(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === 'ERR_ASSERTION';
}
