import { dataFolder } from '#server/storage/data-folder.js';
import { ageFiles, confirmSweeps } from '../../kill/age-files.js';
import { type KillRound, killAmid } from '../../kill/kill-amid.js';
import { type Lives, withLives } from '../../kill/lives.js';
import { playRounds } from '../../kill/rounds.js';
import { siteOf, withStorage } from '../../kill/site.js';
import { untilNone } from '../../kill/until.js';
import { startWithoutModels } from '../../service.js';
import { prepareCustomWork } from './custom-work.js';
import { findFeaturesMadeAgain, readFeatures } from './kept-features.js';
import type { CustomLedger } from './ledger.js';
import { findLeftOver } from './left-over.js';
import { type Moment, moments, waitForMoment } from './moments.js';
import { trainingImages } from './training-images.js';

export interface CustomCrashOptions {
  readonly rounds: number;
  readonly log: (line: string) => void;
  /** In turn, unless given. */
  readonly moments?: readonly Moment[];
}

export interface CustomCrashRun {
  readonly rounds: readonly KillRound[];
  readonly ledgers: readonly CustomLedger[];
}

const settings = {
  LYNCEUS_TRIAL_CALLS: '1000000',
  LYNCEUS_RECOGNITION_PARTS: 'objects',
  LYNCEUS_INFERENCE_PROCESSES: '1',
};

/**
 * Kills a service during changes of datasets, imports, uploads, training and activation, each time on the data of the
 * last, and checks what is left. After the last kill all jobs are awaited.
 */
export function crashDuringTraining(options: CustomCrashOptions): Promise<CustomCrashRun> {
  const wanted = options.moments ?? moments;
  const live = async (lives: Lives) => {
    const { dataDir, spoolDir } = lives;
    const { datasetsDir, importsDir, customModelsDir, featuresDir } = dataFolder(dataDir);
    const site = siteOf(lives);
    const work = await prepareCustomWork(site, false);
    const rounds = await playRounds(options.rounds, options.log, (index, isLast) =>
      killAmid(lives, work, {
        ...{ index, isLast },
        crashScope: index % 2 === 1 ? 'the service alone' : 'everything',
        async moment() {
          const moment = wanted[index % wanted.length] ?? 'anywhere';
          const hasCome = await waitForMoment(moment, dataDir, trainingImages);
          return hasCome ? `, ${moment}` : `, before ${moment}`;
        },
        async whenDead() {
          await ageFiles([datasetsDir, importsDir, customModelsDir, featuresDir, spoolDir]);
          await confirmSweeps(dataDir, ['datasets', 'imports', 'models']);
          return { crashedMs: Date.now(), features: await readFeatures(dataDir) };
        },
        check: async ({ left: { crashedMs, features } }) => [
          ...(await work.withTraining((stage) => findFeaturesMadeAgain(stage, dataDir, features))),
          ...(await withStorage(site, (storage) => {
            const asked = { dataDir, spoolDir, crashedMs };
            return untilNone(() => findLeftOver(storage, asked), site.timing.sweptWithinMs);
          })),
        ],
      }),
    );
    return { rounds, ledgers: work.ledgers };
  };
  return withLives(settings, live, startWithoutModels);
}
