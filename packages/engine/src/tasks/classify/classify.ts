import type { Label, ModelRef } from '../../catalog/manifest.js';
import type { Task } from '../task.js';

export interface ClassifyOptions {
  readonly model: ModelRef;
  /** How many classes to answer, best first. */
  readonly topK: number;
}

export interface ClassScore {
  readonly label: Label;
  /** Probability, 0 to 1; over all classes of the model they sum to 1. */
  readonly score: number;
}

export interface ClassifyResult {
  readonly classes: readonly ClassScore[];
}

export const classify: Task<'classify', ClassifyOptions, ClassifyResult> = {
  name: 'classify',
  detailPx: () => 0,
  run: async () => ({ classes: [] }),
};
