import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readObject } from '../load/outcome.js';
import type { Service } from '../service.js';
import { findDropLosses } from './check.js';
import type { DropAddress } from './drop-client.js';
import { askApi, countStates, readFailed, untilWorkedOff } from './drop-under-test.js';
import type { Fault, FaultSchedule } from './fault-schedule.js';
import type { Ledger } from './ledger.js';
import { startRemoteFtp } from './remote-ftp.js';
import { startRemoteHttp } from './remote-http.js';
import { type RemoteServer, readReceived } from './remote-server.js';

/** A drop, and the remote server that it delivers to. */
export interface DropTarget {
  /** Of what the remote server received. */
  readonly dir: string;
  readonly remote: RemoteServer;
  readonly id: number;
  readonly address: DropAddress;
}

export interface DropOutcome {
  readonly name: string;
  readonly erred: ReadonlyMap<Fault, number>;
  readonly received: number;
  readonly failed: number;
  readonly states: ReadonlyMap<string, number>;
  /** Descriptions of broken guarantees. */
  readonly losses: readonly string[];
}

/** When all faults are over, waiting files must be delivered within this. */
const maxSettleMs = 240_000;
const remoteServers: Readonly<
  Record<string, (dir: string, faultSchedule: FaultSchedule) => Promise<RemoteServer>>
> = {
  http: startRemoteHttp,
  ftp: startRemoteFtp,
};

/** Makes two drops, of which one delivers by HTTP and one by FTP, to servers that are started for them. */
export async function makeDropTargets(
  service: Pick<Service, 'url'>,
  {
    dir,
    key,
    ftpPort,
    sftpPort,
    faultSchedule,
  }: {
    readonly dir: string;
    readonly key: string;
    readonly ftpPort: number;
    readonly sftpPort?: number;
    readonly faultSchedule: FaultSchedule;
  },
): Promise<readonly DropTarget[]> {
  const made: DropTarget[] = [];
  for (const [name, startRemoteServer] of Object.entries(remoteServers)) {
    const target = join(dir, name);
    await mkdir(target, { recursive: true });
    const remote = await startRemoteServer(target, faultSchedule);
    const drop = await askApi(service, key, 'POST', '/api/drops', newDrop(name, remote));
    const user = String(readObject(JSON.stringify(drop['ftp']))['user_name']);
    const ports = { port: ftpPort, ...(sftpPort !== undefined && { sftpPort }) };
    const address = { name, ...ports, user, key: String(drop['key']) };
    made.push({ dir: target, remote, id: Number(drop['id']), address });
  }
  return made;
}

/** Waits until no file of the drop waits, and compares where each is with what its clients know. */
export async function checkDropTarget(
  service: Pick<Service, 'url'>,
  key: string,
  { dir, remote, id, address }: DropTarget,
  ledger: Ledger,
): Promise<DropOutcome> {
  const waiting = await untilWorkedOff(service, key, id, maxSettleMs);
  const ended = { received: await readReceived(dir), failed: await readFailed(address) };
  return {
    name: address.name,
    erred: remote.erred,
    received: ended.received.length,
    failed: ended.failed.length,
    states: await countStates(service, key, id),
    losses: [...waiting, ...findDropLosses(address.name, ledger, ended)],
  };
}

/** Files other than images fail in one drop and are delivered in the other; a keyword is written into every image. */
function newDrop(name: string, { destination }: RemoteServer) {
  const keywords = { sources: ['classes'], min_confidence: { classes: 0 }, max_keywords: 3 };
  const otherFiles = name === 'http' ? 'fail' : 'deliver';
  return { name, settings: { parts: ['classes'], other_files: otherFiles, keywords }, destination };
}
