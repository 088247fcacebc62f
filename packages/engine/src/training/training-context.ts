import type { TrainingProgress } from './training-job.js';

/** Processes that may compute features beside the one of the training run. */
export interface HelperLimits {
  readonly most: number;
  /** Resident bytes above which one of them is killed. */
  readonly maxRssBytes: number;
}

/** Services of the training process for a training. A training is cancelled by killing its process. */
export interface TrainingContext {
  /**
   * Reports the progress. Cheap: to be called at every image and every few steps, at least once a second,
   * because it also ends a process whose caller is gone.
   */
  onProgress(progress: TrainingProgress): void;
  /** Processes that compute features beside this one; none unless given. */
  readonly helpers?: HelperLimits | undefined;
}
