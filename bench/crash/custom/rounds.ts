import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, startService } from '../../service.js';
import { type CrashScope, crashService } from '../crash-service.js';
import { startOperations } from '../run-operations.js';
import { ageFiles } from './age-files.js';
import { checkCustom } from './check-custom.js';
import { datasetOperations } from './dataset-operations.js';
import { digestVersion } from './digest-version.js';
import { readFeatures } from './kept-features.js';
import { type CustomLedger, createCustomLedger, unfinished } from './ledger.js';
import { type Moment, moments, waitForMoment } from './moments.js';
import { makeTrainingImages, trainingImages } from './training-images.js';
import { trainingOperations } from './training-operations.js';
import { versionOperations } from './version-operations.js';

/** One life of the service, from its start to its kill, and the findings of the next life. */
export interface CustomRound {
  readonly crashScope: CrashScope;
  readonly moment: Moment;
  /** Whether it was killed at that moment, and not because the moment did not come. */
  readonly hasCome: boolean;
  readonly restartMs: number;
  /** Features that a killed training run had extracted. */
  readonly features: number;
  readonly losses: readonly string[];
  /** Jobs that did not end in time, with their last state: nothing is known to be lost. */
  readonly late: readonly string[];
}

export interface CustomCrashOptions {
  readonly rounds: number;
  readonly log: (line: string) => void;
  /** In turn, unless given. */
  readonly moments?: readonly Moment[];
}

export interface CustomCrashRun {
  readonly rounds: readonly CustomRound[];
  readonly ledgers: readonly CustomLedger[];
}

/** For all jobs after the last kill, on a busy machine: otherwise they take some ten seconds. */
const endsWithinMs = 600_000;

/**
 * Kills a service during changes of datasets, imports, uploads, training and activation, each time on the data of the
 * last, and checks what is left. After the last kill all jobs are awaited.
 */
export async function crashDuringTraining(options: CustomCrashOptions): Promise<CustomCrashRun> {
  const { rounds: count, log, moments: wanted = moments } = options;
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-crashes-'));
  const [dataDir, spoolDir] = [join(dir, 'data'), join(dir, 'spool')];
  const start = () =>
    startService({
      LYNCEUS_DATA_DIR: dataDir,
      LYNCEUS_SPOOL_DIR: spoolDir,
      LYNCEUS_TRIAL_CALLS: '1000000',
      // Fewer models to load, so that more of the time is spent on operations.
      LYNCEUS_RECOGNITION_PARTS: 'objects',
      LYNCEUS_INFERENCE_PROCESSES: '1',
    });
  let service: Service = await start();
  try {
    // Only the first life prints the first key.
    const { key } = service;
    const datasetId = await makeTrainingImages(service, key);
    const [datasets, versions, training] = [createCustomLedger(), createCustomLedger(), createCustomLedger()];
    const ledgers = [datasets, versions, training];
    const stage = { key, digestVersion: (uid: string) => digestVersion(dataDir, uid) };
    const rounds: CustomRound[] = [];
    for (let index = 0; index < count; index += 1) {
      const crashScope: CrashScope = index % 2 === 1 ? 'the service alone' : 'everything';
      const moment = wanted[index % wanted.length] ?? 'anywhere';
      const one = { clients: 1 };
      const clients = [
        startOperations(service, { ...stage, ledger: datasets }, { ...one, operations: datasetOperations }),
        startOperations(service, { ...stage, ledger: versions }, { ...one, operations: versionOperations }),
        startOperations(
          service,
          { ...stage, ledger: training, datasetId },
          { ...one, operations: trainingOperations },
        ),
      ];
      const hasCome = await waitForMoment(moment, dataDir, trainingImages);
      const survivors = await crashService(service, crashScope);
      for (const client of clients) await client.over();
      await service.stop();
      const crashedMs = Date.now();
      await ageFiles(dataDir, spoolDir);
      const features = await readFeatures(dataDir);
      for (const ledger of ledgers) for (const [, work] of unfinished(ledger)) work.crashes += 1;

      const startedAt = performance.now();
      service = await start();
      const restartMs = performance.now() - startedAt;
      const waitMs = index === count - 1 ? endsWithinMs : 0;
      const asked = { dataDir, spoolDir, crashedMs, key, ledgers, features, waitMs };
      const { lost, late } = await checkCustom(service, asked);
      const losses = [...survivors, ...lost];
      const round = { crashScope, moment, hasCome, restartMs, features: features.size, losses, late };
      rounds.push(round);
      log(roundLine(index + 1, round, ledgers));
    }
    return { rounds, ledgers };
  } finally {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

function roundLine(number: number, round: CustomRound, ledgers: readonly CustomLedger[]): string {
  const { crashScope, moment, hasCome, restartMs, features, losses, late } = round;
  const all = <Entry>(of: (ledger: CustomLedger) => ReadonlyMap<unknown, Entry>) =>
    ledgers.flatMap((ledger) => [...of(ledger).values()]);
  const images = all(({ datasets }) => datasets).flatMap((entry) => [...entry.images.values()]);
  const versions = all(({ models }) => models).flatMap((entry) => [...entry.versions.values()]);
  const works = all((ledger) => ledger.works);
  const ended = (kind: string) =>
    `${works.filter((work) => work.kind === kind && work.end !== null).length} of ${works.filter((work) => work.kind === kind).length}`;
  return (
    `${String(number).padStart(3)}  killed ${crashScope}, ${hasCome ? moment : `before ${moment}`}, with ${features} features; ready again in ` +
    `${(restartMs / 1000).toFixed(1)} s; ${images.length} images, ${versions.length} versions, ended ${ended('import')} imports, ` +
    `${ended('training')} trainings, ${ended('comparison')} comparisons; ` +
    `${losses.length === 0 ? 'nothing lost' : `LOST: ${losses.join('; ')}`}` +
    `${late.length === 0 ? '' : `; TOO LATE: ${late.join('; ')}`}`
  );
}
