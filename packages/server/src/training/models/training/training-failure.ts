import { TrainingError } from '@lynceus/engine';
import { ServiceError } from '../../../core/service-error.js';
import { JobFailure } from '../../../service/jobs/job.js';

/** The message for the owner of a run, and whether it is retried: a `JobFailure` is not. */
export function toRunFailure(error: unknown): Error {
  if (error instanceof JobFailure) return error;
  if (error instanceof TrainingError) {
    switch (error.code) {
      case 'model-missing':
        return modelMissing(error);
      case 'disk-full': {
        const message = `${error.message}: have the operator of the service make room, then start it again`;
        return new JobFailure(message, { cause: new ServiceError('no_space', message, { cause: error }) });
      }
      case 'process-crashed':
      case 'cancelled':
        return error;
      default:
        return new JobFailure(error.message, { cause: error });
    }
  }
  if (error instanceof ServiceError) {
    // What was deleted does not come back; images that change meanwhile are another matter.
    return error.code === 'conflict' ? error : new JobFailure(error.message, { cause: error });
  }
  // Its own words may name what is ours.
  return new Error('the service failed at it, and its log says why', { cause: error });
}

export function modelMissing(cause?: unknown): JobFailure {
  return new JobFailure(
    'the model that it would build on is not installed: when the operator has installed it, ask again',
    { cause },
  );
}
