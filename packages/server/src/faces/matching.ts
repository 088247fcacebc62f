import type { Calibration } from './perception.js';

/**
 * What a cosine means. `match`: the similarity reaches the decision point, and no second person is nearly as similar.
 * `unsure`: near the decision point on either side, or a second person is. `unknown`: a stranger.
 */
export type Verdict = 'match' | 'unsure' | 'unknown';

export interface Judgement {
  readonly verdict: Verdict;
  /** Similarity of the best person less that of the second; 1 without a second. */
  readonly margin: number;
  /** How likely a person of this gallery would look so much like a stranger, 0 to 1. */
  readonly falseMatchRate: number;
}

/** How often two people's faces reach a cosine; see the chains of the engine. */
export interface FalseMatchFigures {
  /** The cosine at which `rate` holds. */
  readonly cosine: number;
  readonly rate: number;
  readonly perTenfold: number;
}

/** Log-odds from the decision point within which a verdict is unsure: a similarity of .4 to .6 for one at .5. */
const unsureLogOdds = Math.log(0.6 / 0.4);
/** Log-odds by which the best person must lead the second. */
const leadLogOdds = 1;

/** 0 to 1, one half at the calibration's midpoint: a logistic curve over the cosine. */
export function toSimilarity(cosine: number, { midpoint, slope }: Calibration): number {
  return 1 / (1 + Math.exp(-slope * (cosine - midpoint)));
}

/** The cosine, -1 to 1, whose similarity is the decision point. */
export function toDecisionCosine(decisionSimilarity: number, { midpoint, slope }: Calibration): number {
  return Math.min(1, Math.max(-1, midpoint + toLogOdds(decisionSimilarity) / slope));
}

/** Whether the best person's face is taken for theirs; what v1 answers as a hit. */
export function isMatch(similarity: number, decisionSimilarity: number): boolean {
  return similarity >= decisionSimilarity;
}

/**
 * @param best, second cosines of the two most similar people
 * @param people in the gallery
 */
export function judge(
  best: number,
  second: number | undefined,
  options: {
    readonly calibration: Calibration;
    readonly decisionSimilarity: number;
    readonly people: number;
    readonly falseMatch: FalseMatchFigures;
  },
): Judgement {
  const { calibration, decisionSimilarity, people, falseMatch } = options;
  const similarity = toSimilarity(best, calibration);
  const logOdds = calibration.slope * (best - calibration.midpoint);
  const aboveDecision = logOdds - toLogOdds(decisionSimilarity);
  const lead = second === undefined ? Number.POSITIVE_INFINITY : calibration.slope * (best - second);
  const verdict: Verdict =
    aboveDecision < -unsureLogOdds
      ? 'unknown'
      : aboveDecision < unsureLogOdds || lead < leadLogOdds
        ? 'unsure'
        : 'match';
  return {
    verdict,
    margin: second === undefined ? 1 : similarity - toSimilarity(second, calibration),
    falseMatchRate: galleryFalseMatchRate(best, people, falseMatch),
  };
}

/** No rate is reported below this share of the measured one: the line is not fitted to data there. */
const minReportedShare = 0.01;

/** Of at least one of so many people: 1 - (1 - rate)^people, their likenesses taken as independent. */
function galleryFalseMatchRate(cosine: number, people: number, figures: FalseMatchFigures): number {
  const line = figures.rate * 10 ** ((figures.cosine - cosine) / figures.perTenfold);
  const one = Math.min(1, Math.max(line, figures.rate * minReportedShare));
  return -Math.expm1(people * Math.log1p(-Math.min(one, 1 - Number.EPSILON)));
}

function toLogOdds(probability: number): number {
  return Math.log(probability / (1 - probability));
}
