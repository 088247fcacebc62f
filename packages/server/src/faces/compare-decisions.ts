import { toDecisionCosine, toSimilarity } from './matching.js';
import type { Calibration } from './perception.js';
import type { PairErrors, ProposedCalibration } from './propose-calibration.js';

/** A cosine from which faces match a person, under both curves, and what it does to the pairs looked at. */
export interface DecisionPoint extends PairErrors {
  readonly cosine: number;
  /** On the curve in force. */
  readonly similarityNow: number;
  /** On the proposed one. */
  readonly similarityProposed: number;
}

/** What would change at the decision point of a perception. */
export interface DecisionChange {
  readonly now: DecisionPoint;
  readonly proposed: DecisionPoint;
}

export function compareDecisions(
  inForce: Calibration,
  { calibration, errorsAt }: Pick<ProposedCalibration, 'calibration' | 'errorsAt'>,
  decisionSimilarity: number,
): DecisionChange {
  const pointOf = (curve: Calibration): DecisionPoint => {
    const cosine = toDecisionCosine(decisionSimilarity, curve);
    return {
      cosine,
      similarityNow: toSimilarity(cosine, inForce),
      similarityProposed: toSimilarity(cosine, calibration),
      ...errorsAt(cosine),
    };
  };
  return { now: pointOf(inForce), proposed: pointOf(calibration) };
}
