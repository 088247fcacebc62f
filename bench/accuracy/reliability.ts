import { bootstrapInterval, type Interval, seededRandom } from './bootstrap.js';

/** One answer with a score, and whether it was right. */
export interface Scored {
  /** Index of the image, the unit that is drawn for intervals. */
  readonly image: number;
  /** 0 to 1. */
  readonly score: number;
  readonly isRight: boolean;
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Means of the scores and of the right answers in it; NaN where it is empty. */
  readonly score: number;
  readonly right: number;
}

export interface Reliability {
  readonly bins: readonly Bin[];
  /** 0 to 1: the mean distance of score and share of right answers, weighted by the answers of each bin. */
  readonly error: number;
  readonly interval: Interval;
  /** The error of scores that are exactly right, with as many answers: the mean of simulations, and where 95 % of them are. */
  readonly exact: Interval & { readonly mean: number };
}

const simulations = 1000;
const binCount = 10;

/**
 * Reliability diagram and expected calibration error in ten bins of equal width (Guo et al. 2017, "On Calibration of Modern Neural
 * Networks"), with a 95 % interval over images. The estimate is biased upwards where bins hold few answers: `exact` says by how much.
 */
export function reliabilityOf(answers: readonly Scored[], images: number): Reliability {
  return {
    bins: binsOf(answers, () => 1),
    error: errorOf(binsOf(answers, () => 1)),
    interval: bootstrapInterval(images, (weights) =>
      errorOf(binsOf(answers, ({ image }) => weights[image] ?? 0)),
    ),
    exact: simulateExact(answers),
  };
}

function simulateExact(answers: readonly Scored[]): Reliability['exact'] {
  const random = seededRandom(1);
  const errors = Array.from({ length: simulations }, () =>
    errorOf(
      binsOf(
        answers.map((answer) => ({ ...answer, isRight: random() < answer.score })),
        () => 1,
      ),
    ),
  ).sort((a, b) => a - b);
  const at = (share: number) => errors[Math.floor(share * simulations)] ?? Number.NaN;
  return {
    mean: errors.reduce((sum, error) => sum + error, 0) / simulations,
    low: at(0.025),
    high: at(0.975),
  };
}

function binsOf(answers: readonly Scored[], weightOf: (answer: Scored) => number): Bin[] {
  const sums = Array.from({ length: binCount }, () => ({ count: 0, score: 0, right: 0 }));
  for (const answer of answers) {
    const sum = sums[Math.min(binCount - 1, Math.floor(answer.score * binCount))];
    if (!sum) continue;
    const weight = weightOf(answer);
    sum.count += weight;
    sum.score += weight * answer.score;
    if (answer.isRight) sum.right += weight;
  }
  return sums.map(({ count, score, right }, index) => ({
    from: index / binCount,
    to: (index + 1) / binCount,
    count,
    score: score / count,
    right: right / count,
  }));
}

function errorOf(bins: readonly Bin[]): number {
  const filled = bins.filter(({ count }) => count > 0);
  const total = filled.reduce((sum, { count }) => sum + count, 0);
  return filled.reduce((sum, { count, score, right }) => sum + (count / total) * Math.abs(score - right), 0);
}
