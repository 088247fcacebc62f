import type { ImageLimits, ModelRef, TrainingJob } from '@lynceus/engine';
import type { TrainingSet } from '../../datasets/training-set.js';
import type { TrainingRequest } from './training-request.js';

export interface TrainingLocation {
  readonly title: string;
  readonly backbone: ModelRef;
  readonly limits: ImageLimits;
  readonly cacheDir: string;
  readonly outDir: string;
}

/** What the engine is told of a run. */
export function toTrainingJob(
  set: TrainingSet,
  { noneOfThese, seed }: TrainingRequest,
  location: TrainingLocation,
): TrainingJob {
  const { labels } = set;
  return set.kind === 'classification'
    ? {
        ...location,
        labels,
        seed,
        kind: set.kind,
        multiLabel: set.multiLabel,
        noneOfThese,
        images: set.images,
      }
    : { ...location, labels, seed, kind: set.kind, images: set.images };
}
