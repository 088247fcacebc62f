import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder } from '#server/storage/data-folder.js';
import { ageFiles, confirmSweeps } from '../kill/age-files.js';
import { between } from '../kill/chance.js';
import { type KillRound, killAmid } from '../kill/kill-amid.js';
import { withLives } from '../kill/lives.js';
import { playRounds } from '../kill/rounds.js';
import { siteOf } from '../kill/site.js';
import { prepareCallWork } from './call-work.js';
import { createLedger, type Ledger } from './ledger.js';

export interface CrashRun {
  readonly rounds: readonly KillRound[];
  readonly ledger: Ledger;
}

export interface CrashOptions {
  readonly rounds: number;
  readonly clients: number;
  /** How long the service lives under load before it is killed: half a second at least, and this at most. */
  readonly maxLifeMs: number;
  /** Known faces alone, or everything. */
  readonly only?: 'faces' | undefined;
  readonly log: (line: string) => void;
}

const minLifeMs = 500;
/** Faces searched after each start; all of them after the last. */
const [searches, lastSearches] = [120, Number.POSITIVE_INFINITY];
const settings = {
  LYNCEUS_TRIAL_CALLS: '1000000',
  LYNCEUS_KEEP_IMAGES: 'true',
  // No operation needs more: fewer models to load, so that more of the time is spent on operations.
  LYNCEUS_RECOGNITION_PARTS: 'faces',
};

/** Kills a service under load repeatedly, each time on the data of the last, and checks what is left. */
export function crashRepeatedly(options: CrashOptions): Promise<CrashRun> {
  const { clients, only, maxLifeMs } = options;
  return withLives(settings, async (lives) => {
    const { dataDir, spoolDir } = lives;
    const ledger = createLedger();
    const given = { ledger, clients, only, searches, lastSearches, hasCommand: true };
    const work = await prepareCallWork(siteOf(lives), given);
    const rounds = await playRounds(options.rounds, options.log, (index, isLast) =>
      killAmid(lives, work, {
        ...{ index, isLast },
        crashScope: index === 1 ? 'the service alone' : 'everything',
        moment: () => sleep(between(minLifeMs, maxLifeMs), ''),
        async whenDead() {
          await ageFiles([dataFolder(dataDir).facesDir]);
          await confirmSweeps(dataDir, ['faces']);
        },
        check: () => findInSpool(spoolDir),
      }),
    );
    return { rounds, ledger };
  });
}

async function findInSpool(spoolDir: string): Promise<string[]> {
  const found = await readdir(spoolDir, { withFileTypes: true, recursive: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => `${name} was left in the spool`);
}
