import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CrashScope, crashService } from '../crash/crash-service.js';
import { freePort } from '../free-port.js';
import { startService } from '../service.js';
import type { DropProtocol } from './drop-client.js';
import { checkDropTarget, type DropOutcome, type DropTarget, makeDropTargets } from './drop-targets.js';
import { createFaultSchedule } from './fault-schedule.js';
import type { Ledger } from './ledger.js';
import { uploadUntilGone } from './uploads.js';

export interface DropCrashRun {
  readonly ledger: Ledger;
  readonly drops: readonly DropOutcome[];
  readonly slowestStartMs: number;
  /** Descriptions of broken guarantees. */
  readonly losses: readonly string[];
}

export interface DropCrashOptions {
  readonly rounds: number;
  /** Of each drop. */
  readonly clients: number;
  /** By which they upload. */
  readonly protocol: DropProtocol;
  /** Of one life, once it is ready. */
  readonly maxLifeMs: number;
  /** Time after the last kill, in which the remote servers still fail. */
  readonly afterMs: number;
  readonly log: (line: string) => void;
}

const minLifeMs = 500;
/** Kills a service repeatedly during uploads, while the destinations of its drops fail; then checks where every file is. */
export async function crashDuringUploads({
  rounds,
  clients,
  protocol,
  maxLifeMs,
  afterMs,
  log,
}: DropCrashOptions): Promise<DropCrashRun> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-drop-kills-'));
  const [ftpPort, sftpPort] = [await freePort(), await freePort()];
  const settings = {
    LYNCEUS_DATA_DIR: join(dir, 'data'),
    LYNCEUS_FTP_PORT: String(ftpPort),
    LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
    LYNCEUS_SFTP_PORT: String(sftpPort),
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
  let dropTargets: readonly DropTarget[] = [];
  try {
    dropTargets = await makeDropTargets(service, { dir, key, ftpPort, sftpPort, faultSchedule });
    const losses: string[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      let isOver = false;
      const uploading = dropTargets.flatMap(({ address }) =>
        Array.from({ length: clients }, () => uploadUntilGone(address, ledger, () => isOver, protocol)),
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
      const outcome = await checkDropTarget(service, key, dropTarget, ledger);
      drops.push(outcome);
      losses.push(...outcome.losses);
    }
    return { ledger, drops, slowestStartMs, losses };
  } finally {
    faultSchedule.clear();
    await service.stop();
    for (const { remote } of dropTargets) await remote.stop();
    await rm(dir, { recursive: true, force: true });
  }
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
