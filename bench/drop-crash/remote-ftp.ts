import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { random } from '../kill/chance.js';
import type { Fault, FaultSchedule } from './fault-schedule.js';
import { countFaults, listenWithFaults, type RemoteServer } from './remote-server.js';

/** A small FTP server with one folder. */
export async function startRemoteFtp(dir: string, faultSchedule: FaultSchedule): Promise<RemoteServer> {
  const faults = countFaults(faultSchedule);
  const server = createServer((socket) => {
    serve(socket, dir, { meet: faults.meet, now: faultSchedule.now });
  });
  const { port, stop } = await listenWithFaults(server, faultSchedule);
  return {
    destination: {
      kind: 'ftp',
      host: '127.0.0.1',
      port,
      user: 'desk',
      path: '{name}',
      secrets: { password: 'desk' },
    },
    erred: faults.erred,
    stop,
  };
}

interface Faults {
  /** Of a transfer or a renaming. */
  meet(): Fault;
  now(): Fault;
}

type Answer = string | null;

function serve(socket: Socket, dir: string, faults: Faults): void {
  let data: Promise<Socket> = Promise.reject(new Error('no data connection'));
  data.catch(() => undefined);
  let renamed = '';
  const pathOf = (name: string) => join(dir, basename(name));
  const cut = (): null => {
    socket.destroy();
    return null;
  };
  const say = (line: string) => void socket.write(`${line}\r\n`);

  const openData = async (): Promise<string> => {
    const passive = createServer();
    passive.listen(0, '127.0.0.1');
    socket.once('close', () => passive.close());
    await once(passive, 'listening');
    data = once(passive, 'connection').then(([peer]: Socket[]) => {
      passive.close();
      if (peer === undefined) throw new Error('no peer');
      socket.once('close', () => peer.destroy());
      return peer.on('error', () => peer.destroy());
    });
    data.catch(() => undefined);
    // The address of a server that listens on a port has this form.
    return `229 entering (|||${(passive.address() as AddressInfo).port}|)`;
  };

  const store = async (name: string): Promise<Answer> => {
    const fault = faults.meet();
    if (fault === 'hang') return null;
    say('150 send');
    const peer = await data;
    const chunks: Buffer[] = [];
    let left = fault === 'cut' || fault === 'full' ? random() * 100_000 : Number.POSITIVE_INFINITY;
    const source: AsyncIterable<Buffer> = peer;
    for await (const chunk of source) {
      chunks.push(chunk.subarray(0, Math.max(0, left)));
      left -= chunk.length;
      if (left <= 0) break;
    }
    // The bytes before the full disk, or before the cut, are stored.
    await writeFile(pathOf(name), Buffer.concat(chunks));
    if (fault === 'cut') return cut();
    if (fault === 'full') return '452 no space left';
    return fault === 'cut-late' ? cut() : '226 done';
  };

  const give = async (write: (peer: Socket) => Promise<void>): Promise<Answer> => {
    say('150 take');
    const peer = await data;
    await write(peer);
    return '226 done';
  };

  const sizeOf = async (name: string) => (await stat(pathOf(name)).catch(() => null))?.size;

  const commands: Readonly<Record<string, (argument: string) => Promise<Answer> | Answer>> = {
    USER: () => '331 password',
    PASS: () => '230 in',
    TYPE: () => '200 binary',
    EPSV: openData,
    STOR: store,
    RETR: async (name) =>
      (await sizeOf(name)) === undefined
        ? '550 none'
        : give(async (peer) => {
            createReadStream(pathOf(name)).pipe(peer);
            await once(peer, 'close');
          }),
    LIST: () =>
      give(async (peer) => {
        const lines: string[] = [];
        for (const name of await readdir(dir)) {
          lines.push(`-rw-r--r-- 1 u g ${await sizeOf(name)} Jan 01 2026 ${name}\r\n`);
        }
        peer.end(lines.join(''));
      }),
    SIZE: async (name) => {
      const size = await sizeOf(name);
      return size === undefined ? '550 none' : `213 ${size}`;
    },
    DELE: async (name) => {
      await rm(pathOf(name), { force: true });
      return '250 gone';
    },
    RNFR: (name) => {
      renamed = name;
      return '350 to';
    },
    RNTO: async (name) => {
      const fault = faults.meet();
      if (fault === 'hang') return null;
      if (fault === 'cut') return cut();
      await rename(pathOf(renamed), pathOf(name));
      return fault === 'cut-late' ? cut() : '250 renamed';
    },
  };

  if (faults.now() !== 'hang') say('220 hello');
  let before: Promise<void> = Promise.resolve();
  const lines = createInterface({ input: socket });
  lines.on('error', () => socket.destroy());
  lines.on('line', (line) => {
    const [, verb = '', argument = ''] = /^(\w+) ?(.*)$/.exec(line) ?? [];
    const answer = async () => {
      const said = await (commands[verb]?.(argument === '-a' ? '' : argument) ?? '502 what?');
      if (said !== null && !socket.destroyed) say(said);
    };
    before = before.then(answer).catch(() => void socket.destroy());
  });
}
