import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.js';
import { between, random } from '../kill/chance.js';
import { killAmid, slowestStartMs } from '../kill/kill-amid.js';
import { withLives } from '../kill/lives.js';
import { findingsOf, playRounds } from '../kill/rounds.js';
import { siteOf } from '../kill/site.js';
import type { DropProtocol } from './drop-client.js';
import type { DropOutcome } from './drop-targets.js';
import { prepareDropWork } from './drop-work.js';
import { createFaultSchedule } from './fault-schedule.js';
import type { Ledger } from './ledger.js';

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
export async function crashDuringUploads(options: DropCrashOptions): Promise<DropCrashRun> {
  const { clients, protocol, maxLifeMs } = options;
  const [ftpPort, sftpPort] = [await freePort(), await freePort()];
  const settings = {
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
  return withLives(settings, async (lives) => {
    const ledger: Ledger = new Map();
    const faultSchedule = createFaultSchedule(300, 1500);
    const site = siteOf(lives, { ftpPort, sftpPort });
    const { dir } = lives;
    const given = { dir, key: site.key, ledger, clients, protocol, faultSchedule };
    const uploads = await prepareDropWork(site, given);
    try {
      // Where the files are is known once none waits any more: it is compared after the last round.
      const work = { ...uploads, check: async () => [] };
      const rounds = await playRounds(options.rounds, options.log, (index, isLast) =>
        killAmid(lives, work, {
          ...{ index, isLast },
          crashScope: random() < 0.2 ? 'the service alone' : 'everything',
          moment: () => sleep(between(minLifeMs, maxLifeMs), ''),
          whenDead: async () => undefined,
        }),
      );
      await sleep(options.afterMs);
      faultSchedule.clear();
      const drops = await uploads.outcomes(0);
      const losses = [...findingsOf(rounds), ...drops.flatMap((drop) => drop.losses)];
      return { ledger, drops, losses, slowestStartMs: slowestStartMs(rounds) };
    } finally {
      faultSchedule.clear();
      await uploads.close();
    }
  });
}
