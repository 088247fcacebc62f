import type { TrainingContext } from '../training-context.js';
import { TrainingError } from '../training-error.js';
import type { DetectorTraining } from '../training-job.js';
import type { DetectorReport } from './detector-report.js';

/** Trains a detector: writes `outDir` and gives the report. */
export async function trainDetector(
  _job: DetectorTraining,
  _context: TrainingContext,
): Promise<DetectorReport> {
  throw new TrainingError('impossible', 'detectors cannot be trained yet');
}
