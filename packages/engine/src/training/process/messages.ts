import type { FeatureWork } from '../feature-source.js';
import type { HelperLimits } from '../training-context.js';
import type { TrainingErrorCode } from '../training-error.js';
import type { TrainingImage, TrainingJob, TrainingProgress } from '../training-job.js';

/** Messages between the service and a training process: both ends are this package, so types suffice. */

/** Service to process: once, and first. */
export interface TrainingCommand {
  readonly job: TrainingJob;
  readonly helpers?: HelperLimits | undefined;
}

/** Process of a training run to one that computes features beside it: the work first, then images. */
export type FeatureCommand = { readonly work: FeatureWork } | { readonly image: TrainingImage };

/** To each image, in their order. */
export interface FeatureAnswer {
  /** False where the image cannot be opened. */
  readonly isKept: boolean;
}

export type TrainingMessage =
  | { readonly type: 'progress'; readonly progress: TrainingProgress; readonly rssBytes: number }
  | { readonly type: 'done'; readonly report: unknown }
  | {
      readonly type: 'failed';
      readonly error: { readonly code: TrainingErrorCode; readonly message: string };
      /** For the log, where it is a bug. */
      readonly detail: string;
    };
