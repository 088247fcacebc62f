import type { TrainingProgress } from '@lynceus/engine';
import type { JobProgress } from '../../jobs/job.js';

const keptStage = 'features';

/**
 * What of a training's progress is new. An image whose features were kept by an attempt before is told as kept again, and
 * would else give a training that always ends at one place all its attempts for ever.
 */
export function progressSinceLastAttempt({
  stage,
  done,
}: JobProgress): (progress: TrainingProgress) => boolean {
  const before = stage === null ? 0 : stage === keptStage ? done : Number.POSITIVE_INFINITY;
  return (progress) => progress.isKept && progress.stage === keptStage && progress.done > before;
}
