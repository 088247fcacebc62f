import { figuresOf } from './embedder-figures.js';
import type { DecisionRule } from './matching.js';
import type { Perception } from './perception.js';

/** The curve in force for a perception, with its decision point. */
export function ruleOf({
  embedder,
  calibration,
  decisionSimilarity,
}: Pick<Perception, 'embedder' | 'calibration' | 'decisionSimilarity'>): DecisionRule {
  return { calibration: calibration ?? figuresOf(embedder).calibration, decisionSimilarity };
}
