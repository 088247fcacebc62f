import type { Calibration } from './perception.js';

/**
 * What a cosine means. `match`: the similarity reaches the decision point, no second person is nearly as similar, and neither face
 * is degraded, nor both doubtful and not very alike. `unsure`: near the decision point on either side, or a second person is. `unknown`: a stranger.
 */
export type Verdict = 'match' | 'unsure' | 'unknown';

export interface Judgement {
  readonly verdict: Verdict;
  /** Similarity of the best person less that of the second; 1 without a second. */
  readonly margin: number;
  /** How likely a person of this gallery would look so much like a stranger, 0 to 1. */
  readonly falseMatchRate: number;
}

/** How alike two faces are. */
export interface Likeness {
  readonly cosine: number;
  /** See `isPairDegraded`: such faces resemble each other, whoever they are, so the cosine is no evidence of a match. */
  readonly isDegraded: boolean;
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

/** How far below the decision point the similarity of degraded faces ends: still below it when rounded to two decimals. */
const capDistance = 0.01;

/** The cosine that counts: that of degraded faces ends just below the decision point. */
export function toCountedCosine(
  { cosine, isDegraded }: Likeness,
  { decisionSimilarity, calibration }: DecisionRule,
): number {
  if (!isDegraded) return cosine;
  return Math.min(cosine, toDecisionCosine(Math.max(0, decisionSimilarity - capDistance), calibration));
}

/** The curve and the decision point of a perception. */
export interface DecisionRule {
  readonly calibration: Calibration;
  readonly decisionSimilarity: number;
}

/**
 * @param best, second of the two most similar people
 * @param people in the gallery
 */
export function judge(
  best: Likeness,
  second: Likeness | undefined,
  options: DecisionRule & {
    readonly people: number;
    readonly falseMatch: FalseMatchFigures;
    readonly degradedFalseMatch: FalseMatchFigures;
  },
): Judgement {
  const { calibration, decisionSimilarity, people } = options;
  const [first, next] = [toCountedCosine(best, options), second && toCountedCosine(second, options)];
  const similarity = toSimilarity(first, calibration);
  const logOdds = calibration.slope * (first - calibration.midpoint);
  const aboveDecision = logOdds - toLogOdds(decisionSimilarity);
  const lead = next === undefined ? Number.POSITIVE_INFINITY : calibration.slope * (first - next);
  const verdict: Verdict =
    aboveDecision < -unsureLogOdds
      ? 'unknown'
      : aboveDecision < unsureLogOdds || lead < leadLogOdds || best.isDegraded
        ? 'unsure'
        : 'match';
  const figures = best.isDegraded ? options.degradedFalseMatch : options.falseMatch;
  return {
    verdict,
    margin: next === undefined ? 1 : similarity - toSimilarity(next, calibration),
    falseMatchRate: galleryFalseMatchRate(best.cosine, people, figures),
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
