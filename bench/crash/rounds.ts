import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePerception } from '../face-index/make-perception.js';
import { readObject } from '../load/outcome.js';
import { createVisitor } from '../load/visitor.js';
import { openStorageBesideService } from '../open-storage-beside-service.js';
import { runCommand, startService } from '../service.js';
import { findLosses } from './check.js';
import { ageImages, checkFaces } from './check-faces.js';
import { type CrashScope, crashService } from './crash-service.js';
import { createLedger, type Ledger } from './ledger.js';
import { operationsOf } from './operations.js';
import { startOperations } from './run-operations.js';
import type { Stage } from './stage.js';

/** One life of the service, from its start to its kill, and the findings of the next life. */
export interface Round {
  readonly crashScope: CrashScope;
  /** From the start of the next life until it was ready. */
  readonly restartMs: number;
  /** Descriptions of broken guarantees. */
  readonly losses: readonly string[];
}

export interface CrashRun {
  readonly rounds: readonly Round[];
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
const facesSearched = 120;
const samplePath = new URL('../../../packages/server/assets/sample.jpg', import.meta.url);

/** Kills a service under load repeatedly, each time on the data of the last, and checks what is left. */
export async function crashRepeatedly(options: CrashOptions): Promise<CrashRun> {
  const { rounds: count, clients, maxLifeMs, only, log } = options;
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-kills-'));
  const dataDir = join(dir, 'data');
  const settings = {
    LYNCEUS_DATA_DIR: dataDir,
    LYNCEUS_SPOOL_DIR: join(dir, 'spool'),
    LYNCEUS_TRIAL_CALLS: '1000000',
    LYNCEUS_KEEP_IMAGES: 'true',
    // No operation needs more: fewer models to load, so that more of the time is spent on operations.
    LYNCEUS_RECOGNITION_PARTS: 'faces',
  };
  const start = () => startService(settings);
  const ledger = createLedger();
  const image = await readFile(samplePath);
  const rounds: Round[] = [];
  let service = await start();
  try {
    // Only the first life prints the first key.
    const keys = { unlimited: service.key, limited: await commandKey(settings, 'limited') };
    const modelId = await makeModel(dataDir);
    for (let index = 0; index < count; index += 1) {
      const crashScope = index === 1 ? 'the service alone' : 'everything';
      const stage: Omit<Stage, 'visitor'> = { keys, image, modelId, ledger };
      const load = startOperations(service, stage, { clients, operations: operationsOf(only) });
      const command = commandKey(settings, `of round ${index}`);
      await Promise.all([sleep(minLifeMs + Math.random() * (maxLifeMs - minLifeMs)), command]);
      ledger.commandKeys.push(await command);
      await untilAcknowledged(ledger, only);
      const survivors = await crashService(service, crashScope);
      await load.over();
      await service.stop();
      await ageImages(dataDir);

      const startedAt = performance.now();
      service = await start();
      const restartMs = performance.now() - startedAt;
      const visitor = createVisitor(service.url);
      const asked = { dataDir, key: keys.unlimited, modelId };
      const searches = index === count - 1 ? Number.POSITIVE_INFINITY : facesSearched;
      const losses = [
        ...survivors,
        ...(await leftInSpool(settings.LYNCEUS_SPOOL_DIR)),
        ...(await findLosses(visitor, keys, ledger)),
        ...(await checkFaces(visitor, service, asked, ledger.faces, searches)),
      ];
      await visitor.close();
      rounds.push({ crashScope, restartMs, losses });
      log(roundLine(index + 1, { crashScope, restartMs, losses }, ledger));
    }
    return { rounds, ledger };
  } finally {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
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

/** A life in which nothing was acknowledged has nothing to lose: a busy machine gets the time that it needs. */
async function untilAcknowledged({ calls, keys, faces }: Ledger, only: CrashOptions['only']): Promise<void> {
  const isAll = () =>
    faces.images.size > 0 && (only === 'faces' || (calls.limited.answered > 0 && keys.size > 0));
  for (let tries = 0; tries < 1200 && !isAll(); tries += 1) await sleep(100);
}

async function leftInSpool(spoolDir: string): Promise<string[]> {
  const found = await readdir(spoolDir, { withFileTypes: true, recursive: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => `${name} was left in the spool`);
}

async function commandKey(settings: Readonly<Record<string, string>>, account: string): Promise<string> {
  const made = await runCommand(['keys', 'create', '--account', account, '--json'], settings);
  return String(readObject(made)['key']);
}

function roundLine(number: number, { crashScope, restartMs, losses }: Round, ledger: Ledger): string {
  const { unlimited, limited } = ledger.calls;
  const { images, changed } = ledger.faces;
  return (
    `${String(number).padStart(3)}  killed ${crashScope}; ready again in ${(restartMs / 1000).toFixed(1)} s; calls answered ` +
    `${unlimited.answered} + ${limited.answered}, counted ${unlimited.counted} + ${limited.counted}, sent ` +
    `${unlimited.sent} + ${limited.sent}; ${ledger.keys.size + ledger.commandKeys.length} keys, ` +
    `${ledger.files.size} files, ${images.size} face images, ${changed} of them deleted, moved or merged; ` +
    `${losses.length === 0 ? 'nothing lost' : `LOST: ${losses.join('; ')}`}`
  );
}
