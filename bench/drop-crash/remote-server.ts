import { readdir, readFile } from 'node:fs/promises';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { digestOf } from './content.js';
import type { Fault, FaultSchedule } from './fault-schedule.js';

/** The destination of a drop: a test server that fails by its fault schedule, and stores files in a folder. */
export interface RemoteServer {
  /** Its settings as a destination. */
  readonly destination: Readonly<Record<string, unknown>>;
  /** Number of failures by fault. */
  readonly erred: ReadonlyMap<Fault, number>;
  stop(): Promise<void>;
}

export interface ReceivedFile {
  readonly name: string;
  readonly digest: string;
}

/** All files of a remote server. */
export async function readReceived(dir: string): Promise<readonly ReceivedFile[]> {
  const received: ReceivedFile[] = [];
  for (const name of await readdir(dir)) {
    received.push({ name, digest: await digestOf(await readFile(join(dir, name))) });
  }
  return received;
}

/**
 * Listens on one port of 127.0.0.1, unless the fault refuses connections; when a fault ends, hanging connections are
 * closed.
 */
export async function listenWithFaults(
  server: Server,
  faultSchedule: FaultSchedule,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The address of a server that listens on a port has this form.
  const { port } = server.address() as AddressInfo;
  let isStopped = false;
  const listenAgain = async () => {
    while (!isStopped && !server.listening && faultSchedule.now() !== 'refuse') {
      server.listen(port, '127.0.0.1');
      await sleep(50);
    }
  };
  faultSchedule.onChange((fault) => {
    if (fault === 'refuse') server.close();
    else void listenAgain();
  });
  return {
    port,
    async stop() {
      isStopped = true;
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Counts, and answers the fault. */
export function countFaults(faultSchedule: FaultSchedule) {
  const erred = new Map<Fault, number>();
  return {
    erred,
    meet(): Fault {
      const fault = faultSchedule.now();
      erred.set(fault, (erred.get(fault) ?? 0) + 1);
      return fault;
    },
  };
}
