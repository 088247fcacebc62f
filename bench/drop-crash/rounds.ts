import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CrashScope, crashService } from '../crash/crash-service.js';
import { freePort } from '../free-port.js';
import { readObject } from '../load/outcome.js';
import { startService } from '../service.js';
import { findDropLosses } from './check.js';
import { askApi, countStates, readFailed, untilWorkedOff } from './drop-under-test.js';
import { createFaultSchedule, type Fault, type FaultSchedule } from './fault-schedule.js';
import type { Ledger } from './ledger.js';
import { startRemoteFtp } from './remote-ftp.js';
import { startRemoteHttp } from './remote-http.js';
import { type RemoteServer, readReceived } from './remote-server.js';
import { type DropAddress, uploadUntilGone } from './uploads.js';

export interface DropCrashRun {
  readonly ledger: Ledger;
  readonly drops: readonly DropOutcome[];
  readonly slowestStartMs: number;
  /** Descriptions of broken guarantees. */
  readonly losses: readonly string[];
}

export interface DropOutcome {
  readonly name: string;
  readonly erred: ReadonlyMap<Fault, number>;
  readonly received: number;
  readonly failed: number;
  readonly states: ReadonlyMap<string, number>;
}

export interface DropCrashOptions {
  readonly rounds: number;
  /** Of each drop. */
  readonly clients: number;
  /** Of one life, once it is ready. */
  readonly maxLifeMs: number;
  /** Time after the last kill, in which the remote servers still fail. */
  readonly afterMs: number;
  readonly log: (line: string) => void;
}

const minLifeMs = 500;
/** When all faults are over, waiting files must be delivered within this. */
const maxSettleMs = 240_000;
const remoteServers: Readonly<
  Record<string, (dir: string, faultSchedule: FaultSchedule) => Promise<RemoteServer>>
> = {
  http: startRemoteHttp,
  ftp: startRemoteFtp,
};

interface DropTarget {
  readonly dir: string;
  readonly remote: RemoteServer;
  readonly id: number;
  readonly address: DropAddress;
}

/** Kills a service repeatedly during uploads, while the destinations of its drops fail; then checks where every file is. */
export async function crashDuringUploads({
  rounds,
  clients,
  maxLifeMs,
  afterMs,
  log,
}: DropCrashOptions): Promise<DropCrashRun> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-drop-kills-'));
  const ftpPort = await freePort();
  const settings = {
    LYNCEUS_DATA_DIR: join(dir, 'data'),
    LYNCEUS_FTP_PORT: String(ftpPort),
    LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
    LYNCEUS_FTP_MAX_CONNECTIONS: '200',
    LYNCEUS_DELIVERY_ALLOWED_NETWORKS: '127.0.0.0/8',
    LYNCEUS_DROP_SETTLE_MS: '200',
    LYNCEUS_TRIAL_CALLS: '1000000',
    // One model, so that most of a life is spent on files.
    LYNCEUS_RECOGNITION_PARTS: 'classes',
    LYNCEUS_INFERENCE_PROCESSES: '1',
    LYNCEUS_LOG_LEVEL: 'error',
  };
  const faultSchedule = createFaultSchedule(300, 1500);
  const ledger: Ledger = new Map();
  let slowestStartMs = 0;
  const start = async () => {
    const startedAt = performance.now();
    const started = await startService(settings);
    slowestStartMs = Math.max(slowestStartMs, performance.now() - startedAt);
    return started;
  };
  let service = await start();
  const { key } = service;
  const dropTargets: DropTarget[] = [];
  try {
    for (const [name, startRemoteServer] of Object.entries(remoteServers)) {
      const target = join(dir, name);
      await mkdir(target);
      const remote = await startRemoteServer(target, faultSchedule);
      const made = await askApi(service, key, 'POST', '/api/drops', newDrop(name, remote));
      const user = String(readObject(JSON.stringify(made['ftp']))['user_name']);
      const address = { name, port: ftpPort, user, key: String(made['key']) };
      dropTargets.push({ dir: target, remote, id: Number(made['id']), address });
    }
    const losses: string[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      let isOver = false;
      const uploading = dropTargets.flatMap(({ address }) =>
        Array.from({ length: clients }, () => uploadUntilGone(address, ledger, () => isOver)),
      );
      await sleep(minLifeMs + Math.random() * (maxLifeMs - minLifeMs));
      await untilAcknowledged(
        ledger,
        dropTargets.map(({ address }) => address.name),
      );
      const crashScope: CrashScope = Math.random() < 0.2 ? 'the service alone' : 'everything';
      losses.push(...(await crashService(service, crashScope)));
      isOver = true;
      await Promise.all(uploading);
      await service.stop();
      service = await start();
      log(`${String(round).padStart(3)}  killed ${crashScope}; ${countOutcomes(ledger)}`);
    }
    await sleep(afterMs);
    faultSchedule.clear();
    const drops: DropOutcome[] = [];
    for (const dropTarget of dropTargets) {
      losses.push(...(await untilWorkedOff(service, key, dropTarget.id, maxSettleMs)));
      const ended = {
        received: await readReceived(dropTarget.dir),
        failed: await readFailed(dropTarget.address),
      };
      losses.push(...findDropLosses(dropTarget.address.name, ledger, ended));
      drops.push({
        name: dropTarget.address.name,
        erred: dropTarget.remote.erred,
        received: ended.received.length,
        failed: ended.failed.length,
        states: await countStates(service, key, dropTarget.id),
      });
    }
    return { ledger, drops, slowestStartMs, losses };
  } finally {
    faultSchedule.clear();
    await service.stop();
    for (const { remote } of dropTargets) await remote.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Files other than images fail in one drop and are delivered in the other; a keyword is written into every image. */
function newDrop(name: string, { destination }: RemoteServer) {
  const keywords = { sources: ['classes'], min_confidence: { classes: 0 }, max_keywords: 3 };
  const otherFiles = name === 'http' ? 'fail' : 'deliver';
  return { name, settings: { parts: ['classes'], other_files: otherFiles, keywords }, destination };
}

export function countOutcomes(ledger: Ledger): string {
  const count = (wanted: string) => [...ledger.values()].filter(({ outcome }) => outcome === wanted).length;
  return `${count('acknowledged')} uploads acknowledged, ${count('cut')} cut, ${count('unknown')} ended by a kill`;
}

/** A life in which nothing was acknowledged has nothing to lose: a busy machine gets the time that it needs. */
async function untilAcknowledged(ledger: Ledger, drops: readonly string[]): Promise<void> {
  const isIn = (name: string) =>
    [...ledger.values()].some(({ drop, outcome }) => drop === name && outcome === 'acknowledged');
  for (let tries = 0; tries < 600 && !drops.every(isIn); tries += 1) await sleep(100);
}
