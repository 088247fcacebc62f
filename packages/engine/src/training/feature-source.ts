import type { TrainingImage, TrainingJob } from './training-job.js';

/** Computes the features of images, one at a time, and keeps them in the cache. */
export interface FeatureSource<Kept> {
  /** Whether the cache has an entry; it may be damaged. */
  has(image: TrainingImage): Promise<boolean>;
  /** From the cache; undefined where they are missing or damaged. */
  read(image: TrainingImage): Promise<Kept | undefined>;
  /** Computes and keeps them. @throws EngineError where the image cannot be opened. */
  compute(image: TrainingImage): Promise<Kept>;
  close(): Promise<void>;
}

/** What features are of and computed with, without the images. */
export type FeatureWork = Pick<TrainingJob, 'kind' | 'backbone' | 'limits' | 'cacheDir'>;
