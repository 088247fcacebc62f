import type { TrainingContext } from '../training-context.js';
import { TrainingError } from '../training-error.js';
import type { ClassifierTraining } from '../training-job.js';
import type { ClassifierReport } from './classifier-report.js';

/** Trains a classifier: writes `outDir` and gives the report. */
export async function trainClassifier(
  _job: ClassifierTraining,
  _context: TrainingContext,
): Promise<ClassifierReport> {
  throw new TrainingError('impossible', 'classifiers cannot be trained yet');
}
