import { dataFolder } from '#server/storage/data-folder.js';
import { ageFiles, confirmSweeps } from '../../kill/age-files.js';
import type { CrashScope } from '../../kill/crash-service.js';
import { type Lives, withLives } from '../../kill/lives.js';
import { type Played, playRounds } from '../../kill/rounds.js';
import { startWithoutModels } from '../../service.js';
import type { CrashRound } from '../rounds.js';
import { startOperations } from '../run-operations.js';
import { checkCustom } from './check-custom.js';
import { datasetOperations } from './dataset-operations.js';
import { digestVersion } from './digest-version.js';
import { readFeatures } from './kept-features.js';
import { type CustomLedger, createCustomLedger, unfinished } from './ledger.js';
import { type Moment, moments, waitForMoment } from './moments.js';
import { makeTrainingImages, trainingImages } from './training-images.js';
import { trainingOperations } from './training-operations.js';
import { versionOperations } from './version-operations.js';

export interface CustomRound extends CrashRound {
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

/** The clients of a round: one of datasets, one of uploaded models, one of a model that it trains. */
interface Clients {
  readonly key: string;
  readonly ledgers: readonly CustomLedger[];
  start(lives: Lives): readonly { over(): Promise<void> }[];
}

/** For all jobs after the last kill, on a busy machine: otherwise they take some ten seconds. */
const endsWithinMs = 600_000;

/**
 * Kills a service during changes of datasets, imports, uploads, training and activation, each time on the data of the
 * last, and checks what is left. After the last kill all jobs are awaited.
 */
export async function crashDuringTraining(options: CustomCrashOptions): Promise<CustomCrashRun> {
  const settings = {
    LYNCEUS_TRIAL_CALLS: '1000000',
    LYNCEUS_RECOGNITION_PARTS: 'objects',
    LYNCEUS_INFERENCE_PROCESSES: '1',
  };
  // The models in use are those of the clients.
  const live = async (lives: Lives) => {
    const clients = await prepareClients(lives);
    const wanted = options.moments ?? moments;
    const rounds = await playRounds(options.rounds, options.log, (index, isLast) =>
      killAtMoment(lives, clients, {
        crashScope: index % 2 === 1 ? 'the service alone' : 'everything',
        moment: wanted[index % wanted.length] ?? 'anywhere',
        waitMs: isLast ? endsWithinMs : 0,
      }),
    );
    return { rounds, ledgers: clients.ledgers };
  };
  return withLives(settings, live, startWithoutModels);
}

async function prepareClients({ service, dataDir }: Lives): Promise<Clients> {
  // Only the first life prints the first key.
  const { key } = service;
  const datasetId = await makeTrainingImages(service, key);
  const stage = () => ({
    key,
    ledger: createCustomLedger(),
    digestVersion: (uid: string) => digestVersion(dataDir, uid),
  });
  const [datasets, versions, training] = [stage(), stage(), { ...stage(), datasetId }];
  return {
    key,
    ledgers: [datasets.ledger, versions.ledger, training.ledger],
    start: (lives) => [
      startOperations(lives.service, datasets, { clients: 1, operations: datasetOperations }),
      startOperations(lives.service, versions, { clients: 1, operations: versionOperations }),
      startOperations(lives.service, training, { clients: 1, operations: trainingOperations }),
    ],
  };
}

async function killAtMoment(
  lives: Lives,
  { key, ledgers, start }: Clients,
  asked: { readonly crashScope: CrashScope; readonly moment: Moment; readonly waitMs: number },
): Promise<Played<CustomRound>> {
  const { dataDir, spoolDir } = lives;
  const { crashScope, moment, waitMs } = asked;
  const clients = start(lives);
  const hasCome = await waitForMoment(moment, dataDir, trainingImages);
  const { survivors, restartMs, left } = await lives.crash(crashScope, async () => {
    for (const client of clients) await client.over();
    const crashedMs = Date.now();
    const { datasetsDir, importsDir, customModelsDir, featuresDir } = dataFolder(dataDir);
    await ageFiles([datasetsDir, importsDir, customModelsDir, featuresDir, spoolDir]);
    await confirmSweeps(dataDir, ['datasets', 'imports', 'models']);
    for (const ledger of ledgers) for (const [, work] of unfinished(ledger)) work.crashes += 1;
    return { crashedMs, features: await readFeatures(dataDir) };
  });
  const checked = { dataDir, spoolDir, key, ledgers, waitMs, ...left };
  const { lost, late } = await checkCustom(lives.service, checked);
  const line =
    `killed ${crashScope}, ${hasCome ? moment : `before ${moment}`}, with ${left.features.size} features; ` +
    `ready again in ${(restartMs / 1000).toFixed(1)} s; ${describeLedgers(ledgers)}` +
    `${late.length === 0 ? '' : `; TOO LATE: ${late.join('; ')}`}`;
  return { restartMs, findings: [...survivors, ...lost], late, line };
}

/** What the clients have done up to now. */
function describeLedgers(ledgers: readonly CustomLedger[]): string {
  const datasets = ledgers.flatMap((ledger) => [...ledger.datasets.values()]);
  const models = ledgers.flatMap((ledger) => [...ledger.models.values()]);
  const sizes = (maps: readonly ReadonlyMap<unknown, unknown>[]) =>
    maps.reduce((sum, { size }) => sum + size, 0);
  return (
    `${sizes(datasets.map(({ images }) => images))} images, ${sizes(models.map(({ versions }) => versions))} versions, ` +
    `ended ${countEnded(ledgers)}`
  );
}

/** How many jobs of each kind have ended. */
export function countEnded(ledgers: readonly CustomLedger[]): string {
  const works = ledgers.flatMap((ledger) => [...ledger.works.values()]);
  return (['import', 'training', 'comparison'] as const)
    .map((kind) => {
      const ofKind = works.filter((work) => work.kind === kind);
      return `${ofKind.filter(({ end }) => end !== null).length} of ${ofKind.length} ${kind}s`;
    })
    .join(', ');
}
