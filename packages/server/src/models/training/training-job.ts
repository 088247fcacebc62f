import type { ModelRef, PictureLimits, TrainingJob } from '@lynceus/engine';
import type { TrainingSet } from '../../datasets/training-set.js';
import type { RunWanted } from './run-wanted.js';

export interface TrainingPlace {
  readonly title: string;
  readonly backbone: ModelRef;
  readonly limits: PictureLimits;
  readonly cacheDir: string;
  readonly outDir: string;
}

/** What the engine is told of a run. */
export function toTrainingJob(
  set: TrainingSet,
  { noneOfThese, seed }: RunWanted,
  place: TrainingPlace,
): TrainingJob {
  const { labels } = set;
  return set.kind === 'classification'
    ? {
        ...place,
        labels,
        seed,
        kind: set.kind,
        ...{ multiLabel: set.multiLabel, noneOfThese, pictures: set.pictures },
      }
    : { ...place, labels, seed, kind: set.kind, pictures: set.pictures };
}
