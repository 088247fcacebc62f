import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { type FtpFault, type FtpFolder, serveFtp } from '#server/delivery/fixtures/small-ftp.js';
import { between } from '../kill/chance.js';
import type { Fault, FaultSchedule } from './fault-schedule.js';
import { countFaults, listenWithFaults, type RemoteServer } from './remote-server.js';

/** A small FTP server with one folder, where uploads and renamings fail by the schedule. */
export async function startRemoteFtp(dir: string, faultSchedule: FaultSchedule): Promise<RemoteServer> {
  const faults = countFaults(faultSchedule);
  const faultOf = (verb: string): FtpFault | undefined => {
    if (verb === 'greeting' && faultSchedule.now() === 'hang') return { isDone: false, reply: 'silence' };
    if (verb === 'STOR') return ofUpload(faults.meet());
    return verb === 'RNTO' ? ofRenaming(faults.meet()) : undefined;
  };
  const server = createServer((socket) => serveFtp(socket, onDisk(dir), faultOf));
  const { port, stop } = await listenWithFaults(server, faultSchedule);
  const account = { user: 'desk', secrets: { password: 'desk' } };
  return {
    destination: { kind: 'ftp', host: '127.0.0.1', port, path: '{name}', ...account },
    erred: faults.erred,
    stop,
  };
}

function ofUpload(fault: Fault): FtpFault | undefined {
  // The bytes before the full disk, or before the cut, are stored.
  const storedBytes = between(0, 100_000);
  if (fault === 'hang') return { isDone: false, reply: 'silence' };
  if (fault === 'cut') return { isDone: true, storedBytes, reply: 'cut' };
  if (fault === 'full') return { isDone: true, storedBytes, reply: '452 no space left' };
  return fault === 'cut-late' ? { isDone: true, reply: 'cut' } : undefined;
}

function ofRenaming(fault: Fault): FtpFault | undefined {
  if (fault === 'hang') return { isDone: false, reply: 'silence' };
  if (fault === 'cut') return { isDone: false, reply: 'cut' };
  return fault === 'cut-late' ? { isDone: true, reply: 'cut' } : undefined;
}

function onDisk(dir: string): FtpFolder {
  const pathOf = (name: string) => join(dir, basename(name));
  return {
    names: () => readdir(dir),
    read: (name) => readFile(pathOf(name)).catch(() => undefined),
    write: (name, content) => writeFile(pathOf(name), content),
    rename: (from, to) => rename(pathOf(from), pathOf(to)),
    remove: (name) => rm(pathOf(name), { force: true }),
  };
}
