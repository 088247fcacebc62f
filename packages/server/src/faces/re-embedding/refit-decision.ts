import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import { figuresOf, isFormerOf } from '../embedder-figures.js';
import { type FalseMatchFigures, toDecisionCosine, toSimilarity } from '../matching.js';
import type { Calibration, Perception } from '../perception.js';
import type { ProposedCalibration } from '../propose-calibration.js';

const Decision = Type.Object({
  /** From which faces match; where all or none do, the one whose similarity is 0.5. */
  cosine: Type.Number(),
  /** The same cosine as a similarity, 0 to 1. */
  similarity: Type.Number(),
  calibration: Type.Union([Type.Object({ midpoint: Type.Number(), slope: Type.Number() }), Type.Null()]),
});

/** How the decision point and the curve of a perception were moved to vectors of a new revision. */
export const Refit = Type.Object({
  from: Decision,
  to: Decision,
  /** Of two people of the perception that were compared; 0 where the figures of the embedder were used. */
  pairs: Type.Integer(),
  /** That both have: the share of pairs of two people that match. */
  falseMatchRate: Type.Number(),
});
export type Refit = Static<typeof Refit>;

interface RefitFacts {
  readonly perception: Pick<Perception, 'embedder' | 'calibration' | 'decisionSimilarity'>;
  /** The new embedder. */
  readonly to: string;
  /** Of the perception's own people, by its present vectors and by the new ones; null where they are too few. */
  readonly own: { readonly before: ProposedCalibration; readonly after: ProposedCalibration } | null;
}

/** Of fewer pairs that match falsely, the rate is not known well enough to keep it. */
const minFalseMatches = 10;

/** Whether a perception has a decision point or a curve of its own, which another revision of its embedder has to keep. */
export function needsRefit({ perception, to }: Omit<RefitFacts, 'own'>): boolean {
  const { embedder, calibration, decisionSimilarity } = perception;
  return isFormerOf(embedder, to) && (calibration !== null || decisionSimilarity !== 0.5);
}

/**
 * A decision point for vectors of a new revision at which strangers match as often as before: by the perception's own people where
 * they show the rate, else by the figures of both revisions. A curve of its own keeps the decision similarity; its slope is fitted
 * again, or scaled like that of the embedder's curve. Of a decision similarity of 0 or 1 there is no rate to keep: the curve's
 * midpoint is moved instead. Another version of the same revision keeps everything.
 */
export function refitDecision({ perception, to, own }: RefitFacts): Refit {
  const { calibration, decisionSimilarity } = perception;
  const [before, after] = [figuresOf(perception.embedder), figuresOf(to)];
  const isInside = decisionSimilarity > 0 && decisionSimilarity < 1;
  const moved = isInside ? decisionSimilarity : 0.5;
  const cosine = toDecisionCosine(moved, calibration ?? before.calibration);
  const from = { cosine, similarity: decisionSimilarity, calibration };
  if (isDeepStrictEqual(before, after)) {
    return { from, to: from, pairs: 0, falseMatchRate: rateAt(cosine, before.falseMatch) };
  }
  const matches = own ? own.before.errorsAt(cosine).falseMatchRate * own.before.pairs.impostor : 0;
  const isMeasured = own !== null && matches >= minFalseMatches;
  const falseMatchRate = isMeasured
    ? own.before.errorsAt(cosine).falseMatchRate
    : rateAt(cosine, before.falseMatch);
  const newCosine = isMeasured
    ? cosineWith(falseMatchRate, own.after)
    : cosineAt(falseMatchRate, after.falseMatch);
  const pairs = isMeasured ? own.before.pairs.impostor : 0;
  if (calibration === null) {
    const similarity = isInside ? toSimilarity(newCosine, after.calibration) : decisionSimilarity;
    return { from, to: { cosine: newCosine, similarity, calibration: null }, pairs, falseMatchRate };
  }
  const slope =
    own?.after.calibration.slope ?? (calibration.slope * after.calibration.slope) / before.calibration.slope;
  const curve = curveThrough(newCosine, moved, slope);
  return {
    from,
    to: { cosine: newCosine, similarity: decisionSimilarity, calibration: curve },
    pairs,
    falseMatchRate,
  };
}

function curveThrough(cosine: number, similarity: number, slope: number): Calibration {
  return { midpoint: cosine - Math.log(similarity / (1 - similarity)) / slope, slope };
}

function rateAt(cosine: number, { cosine: known, rate, perTenfold }: FalseMatchFigures): number {
  return Math.min(1, rate * 10 ** ((known - cosine) / perTenfold));
}

function cosineAt(rate: number, { cosine: known, rate: knownRate, perTenfold }: FalseMatchFigures): number {
  return Math.min(1, known + perTenfold * Math.log10(knownRate / rate));
}

/** The lowest cosine at which no more of the pairs match falsely, to .001. */
function cosineWith(rate: number, { errorsAt }: ProposedCalibration): number {
  let [low, high] = [-1, 1];
  while (high - low > 0.001) {
    const middle = (low + high) / 2;
    if (errorsAt(middle).falseMatchRate > rate) low = middle;
    else high = middle;
  }
  return high;
}
