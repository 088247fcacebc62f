import type { TrainingErrorCode } from '../training-error.js';
import type { TrainingJob, TrainingProgress } from '../training-job.js';

/** Messages between the service and a training process: both ends are this package, so types suffice. */

/** Service to process: once, and first. */
export interface TrainingCommand {
  readonly job: TrainingJob;
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
