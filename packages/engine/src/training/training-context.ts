import type { TrainingProgress } from './training-job.js';

/** What a training has of the process that it runs in. A training is cancelled by the end of its process. */
export interface TrainingContext {
  /**
   * Tells how far the training is. Cheap: to be called at every image and every few steps, at least once a second,
   * for it also ends a process that nobody waits for any more.
   */
  onProgress(progress: TrainingProgress): void;
}
