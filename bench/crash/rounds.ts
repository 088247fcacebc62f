import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePerception } from '../face-index/make-perception.js';
import { between } from '../kill/chance.js';
import type { CrashScope } from '../kill/crash-service.js';
import { type Lives, type ServiceSettings, withLives } from '../kill/lives.js';
import { type Played, playRounds, type Round } from '../kill/rounds.js';
import { untilTrue } from '../kill/until.js';
import { readObject } from '../load/outcome.js';
import { createVisitor } from '../load/visitor.js';
import { openStorageBesideService } from '../open-storage-beside-service.js';
import { runCommand } from '../service.js';
import { findLosses } from './check.js';
import { ageImages, checkFaces } from './check-faces.js';
import { createLedger, type Ledger } from './ledger.js';
import { operationsOf } from './operations.js';
import { startOperations } from './run-operations.js';
import type { Stage } from './stage.js';

/** One life of the service, from its start to its kill, and the findings of the next life. */
export interface CrashRound extends Round {
  /** From the start of the next life until it was ready. */
  readonly restartMs: number;
}

export interface CrashRun {
  readonly rounds: readonly CrashRound[];
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
/** For the first answers of a life, on a busy machine. */
const acknowledgedWithinMs = 120_000;
/** Faces searched after each start; all of them after the last. */
const facesSearched = 120;
const samplePath = new URL('../../../packages/server/assets/sample.jpg', import.meta.url);

/** Kills a service under load repeatedly, each time on the data of the last, and checks what is left. */
export async function crashRepeatedly(options: CrashOptions): Promise<CrashRun> {
  const settings = {
    LYNCEUS_TRIAL_CALLS: '1000000',
    LYNCEUS_KEEP_IMAGES: 'true',
    // No operation needs more: fewer models to load, so that more of the time is spent on operations.
    LYNCEUS_RECOGNITION_PARTS: 'faces',
  };
  return withLives(settings, async (lives) => {
    const ledger = createLedger();
    const stage = {
      // Only the first life prints the first key.
      keys: { unlimited: lives.service.key, limited: await commandKey(lives.settings, 'limited') },
      image: await readFile(samplePath),
      modelId: await makeModel(lives.dataDir),
      ledger,
    };
    const rounds = await playRounds(options.rounds, options.log, (index, isLast) =>
      killUnderLoad(lives, stage, options, { index, isLast }),
    );
    return { rounds, ledger };
  });
}

async function killUnderLoad(
  lives: Lives,
  stage: Omit<Stage, 'visitor'>,
  { clients, only, maxLifeMs }: CrashOptions,
  { index, isLast }: { readonly index: number; readonly isLast: boolean },
): Promise<Played<CrashRound>> {
  const { keys, modelId, ledger } = stage;
  const { dataDir, spoolDir, settings } = lives;
  const load = startOperations(lives.service, stage, { clients, operations: operationsOf(only) });
  const command = commandKey(settings, `of round ${index}`);
  await Promise.all([sleep(between(minLifeMs, maxLifeMs)), command]);
  ledger.commandKeys.push(await command);
  await untilTrue(() => isAcknowledged(ledger, only), acknowledgedWithinMs);

  const crashScope: CrashScope = index === 1 ? 'the service alone' : 'everything';
  const { survivors, restartMs } = await lives.crash(crashScope, async () => {
    await load.over();
    await ageImages(dataDir);
  });

  const visitor = createVisitor(lives.service.url);
  const searches = isLast ? Number.POSITIVE_INFINITY : facesSearched;
  const asked = { dataDir, key: keys.unlimited, modelId };
  const findings = [
    ...survivors,
    ...(await leftInSpool(spoolDir)),
    ...(await findLosses(visitor, keys, ledger)),
    ...(await checkFaces(visitor, lives.service, asked, ledger.faces, searches)),
  ];
  await visitor.close();
  const ready = `ready again in ${(restartMs / 1000).toFixed(1)} s`;
  return { restartMs, findings, line: `killed ${crashScope}; ${ready}; ${describeLedger(ledger)}` };
}

/** A perception of the first account. */
async function makeModel(dataDir: string): Promise<number> {
  const storage = await openStorageBesideService(dataDir);
  try {
    return (await makePerception(storage.database)).perceptionId;
  } finally {
    await storage.close();
  }
}

/** A life in which nothing was acknowledged has nothing to lose. */
function isAcknowledged({ calls, keys, faces }: Ledger, only: CrashOptions['only']): boolean {
  return faces.images.size > 0 && (only === 'faces' || (calls.limited.answered > 0 && keys.size > 0));
}

async function leftInSpool(spoolDir: string): Promise<string[]> {
  const found = await readdir(spoolDir, { withFileTypes: true, recursive: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => `${name} was left in the spool`);
}

async function commandKey(settings: ServiceSettings, account: string): Promise<string> {
  const made = await runCommand(['keys', 'create', '--account', account, '--json'], settings);
  return String(readObject(made)['key']);
}

/** What the service acknowledged and counted up to now. */
export function describeLedger({
  calls: { unlimited, limited },
  keys,
  commandKeys,
  files,
  faces,
}: Ledger): string {
  return (
    `calls answered ${unlimited.answered} + ${limited.answered}, counted ${unlimited.counted} + ${limited.counted}, ` +
    `sent ${unlimited.sent} + ${limited.sent}; ${keys.size + commandKeys.length} keys, ${files.size} files, ` +
    `${faces.images.size} face images, ${faces.changed} of them deleted, moved or merged`
  );
}
