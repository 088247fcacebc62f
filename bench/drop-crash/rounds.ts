import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.js';
import { between, random } from '../kill/chance.js';
import { type Lives, withLives } from '../kill/lives.js';
import { findingsOf, playRounds } from '../kill/rounds.js';
import { untilTrue } from '../kill/until.js';
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
/** For the first upload of a life, on a busy machine. */
const acknowledgedWithinMs = 60_000;

/** Kills a service repeatedly during uploads, while the destinations of its drops fail; then checks where every file is. */
export async function crashDuringUploads(options: DropCrashOptions): Promise<DropCrashRun> {
  const ports = { ftpPort: await freePort(), sftpPort: await freePort() };
  const settings = {
    LYNCEUS_FTP_PORT: String(ports.ftpPort),
    LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
    LYNCEUS_SFTP_PORT: String(ports.sftpPort),
    LYNCEUS_FTP_MAX_CONNECTIONS: '200',
    LYNCEUS_DELIVERY_ALLOWED_NETWORKS: '127.0.0.0/8',
    LYNCEUS_DROP_SETTLE_MS: '200',
    LYNCEUS_TRIAL_CALLS: '1000000',
    // One model, so that most of a life is spent on files.
    LYNCEUS_RECOGNITION_PARTS: 'classes',
    LYNCEUS_INFERENCE_PROCESSES: '1',
    LYNCEUS_LOG_LEVEL: 'error',
  };
  return withLives(settings, async (lives) => {
    const faultSchedule = createFaultSchedule(300, 1500);
    // Only the first life prints the first key.
    const { key } = lives.service;
    const { dir } = lives;
    let targets: readonly DropTarget[] = [];
    try {
      targets = await makeDropTargets(lives.service, { dir, key, ...ports, faultSchedule });
      const ledger: Ledger = new Map();
      const rounds = await playRounds(options.rounds, options.log, () =>
        killAmidUploads(lives, targets, ledger, options),
      );
      await sleep(options.afterMs);
      faultSchedule.clear();
      const drops: DropOutcome[] = [];
      for (const target of targets) drops.push(await checkDropTarget(lives.service, key, target, ledger));
      const losses = [...findingsOf(rounds), ...drops.flatMap((drop) => drop.losses)];
      return { ledger, drops, losses, slowestStartMs: Math.max(...rounds.map(({ restartMs }) => restartMs)) };
    } finally {
      faultSchedule.clear();
      for (const { remote } of targets) await remote.stop();
    }
  });
}

async function killAmidUploads(
  lives: Lives,
  targets: readonly DropTarget[],
  ledger: Ledger,
  { clients, protocol, maxLifeMs }: DropCrashOptions,
) {
  let isOver = false;
  const uploading = targets.flatMap(({ address }) =>
    Array.from({ length: clients }, () => uploadUntilGone(address, ledger, () => isOver, protocol)),
  );
  await sleep(between(minLifeMs, maxLifeMs));
  // A life in which nothing was acknowledged has nothing to lose.
  const isIn = ({ address: { name } }: DropTarget) =>
    [...ledger.values()].some(({ drop, outcome }) => drop === name && outcome === 'acknowledged');
  await untilTrue(() => targets.every(isIn), acknowledgedWithinMs);
  const crashScope = random() < 0.2 ? 'the service alone' : 'everything';
  const { survivors, restartMs } = await lives.crash(crashScope, () => {
    isOver = true;
    return Promise.all(uploading);
  });
  return { restartMs, findings: survivors, line: `killed ${crashScope}; ${countOutcomes(ledger)}` };
}

export function countOutcomes(ledger: Ledger): string {
  const count = (wanted: string) => [...ledger.values()].filter(({ outcome }) => outcome === wanted).length;
  return `${count('acknowledged')} uploads acknowledged, ${count('cut')} cut, ${count('unknown')} ended by a kill`;
}
