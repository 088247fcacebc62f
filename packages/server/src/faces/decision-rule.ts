import { figuresOf } from './embedder-figures.js';
import type { DecisionRule } from './matching.js';
import type { Perception } from './perception.js';

/** A decision rule, and when two doubtful faces count. */
export interface PairRule extends DecisionRule {
  /** See `ChainFigures` of the engine. */
  readonly doubtfulCosine: number;
}

/** The curve in force for a perception, with its decision point. */
export function ruleOf({
  embedder,
  calibration,
  decisionSimilarity,
}: Pick<Perception, 'embedder' | 'calibration' | 'decisionSimilarity'>): PairRule {
  const figures = figuresOf(embedder);
  return {
    calibration: calibration ?? figures.calibration,
    decisionSimilarity,
    doubtfulCosine: figures.doubtfulCosine,
  };
}
