import type { FoldedHead } from './head.js';

/** From a head's logits to calibrated ones: `slope` x logit + `shift`; the sigmoid of that is the score. */
export interface ScoreLine {
  readonly slope: number;
  readonly shift: number;
}

/** A detection in an unseen image. */
export interface JudgedScore {
  readonly score: number;
  readonly isRight: boolean;
  /** Its weight. */
  readonly weight: number;
}

export interface Judged {
  readonly scores: readonly JudgedScore[];
  /** Labelled boxes in the images that were judged. */
  readonly truths: number;
}

/** The threshold of clients: the best F1 is placed there. */
const shownThreshold = 0.4;
const slopes = { least: 0.05, most: 5 };
/** F1 within this of the best is as good; the middle of that range is chosen, because the exact best is random. */
const f1Slack = 0.01;

/** The line whose slope is that of calibrated probabilities (Platt 1999) and which puts the best F1 at 0.4. */
export function fitScoreLine(judged: Judged): ScoreLine {
  const { scores, truths } = judged;
  const hits = scores.filter(({ isRight }) => isRight).length;
  if (hits === 0 || truths === 0) return { slope: 1, shift: logit(shownThreshold) };
  const slope = Math.min(Math.max(riseOf(scores), slopes.least), slopes.most);
  return { slope, shift: logit(shownThreshold) - slope * bestThreshold(judged) };
}

/** A head with the line folded into its logits. */
export function onLine({ slope, shift }: ScoreLine, head: FoldedHead): FoldedHead {
  const { weights, biases } = head;
  return {
    ...head,
    weights: weights.map((level) => level.map((weight) => weight * slope)),
    biases: biases.map((level) => level.map((bias) => bias * slope + shift)),
  };
}

/** The best F1 of any threshold. */
export function bestF1(judged: Judged): number {
  return Math.max(0, ...thresholds(judged).map(({ f1 }) => f1));
}

function bestThreshold(judged: Judged): number {
  const points = thresholds(judged);
  const most = Math.max(...points.map(({ f1 }) => f1));
  const good = points.filter(({ f1 }) => f1 >= most - f1Slack).map(({ threshold }) => threshold);
  return (Math.min(...good) + Math.max(...good)) / 2;
}

function thresholds({ scores, truths }: Judged) {
  const sorted = [...scores].sort((a, b) => b.score - a.score);
  let right = 0;
  let found = 0;
  return sorted.map(({ score, isRight, weight }, index) => {
    found += weight;
    if (isRight) right += weight;
    const next = sorted[index + 1]?.score ?? score - 1;
    return { threshold: (score + next) / 2, f1: (2 * right) / (found + truths) };
  });
}

/** The slope of logistic regression of being right on the score, by Newton's method, with a weak prior at 1. */
function riseOf(judged: readonly JudgedScore[]): number {
  const held = 0.1;
  let slope = 1;
  let shift = 0;
  for (let step = 0; step < 50; step++) {
    let [gradientSlope, gradientShift] = [held * (slope - 1), held * shift];
    let [curveSlope, curveBoth, curveShift] = [held, 0, held];
    for (const { score, isRight, weight } of judged) {
      const chance = 1 / (1 + Math.exp(-slope * score - shift));
      const residual = weight * (chance - (isRight ? 1 : 0));
      const bend = weight * chance * (1 - chance);
      gradientSlope += residual * score;
      gradientShift += residual;
      curveSlope += bend * score * score;
      curveBoth += bend * score;
      curveShift += bend;
    }
    const determinant = curveSlope * curveShift - curveBoth * curveBoth;
    const moveSlope = (curveShift * gradientSlope - curveBoth * gradientShift) / determinant;
    const moveShift = (curveSlope * gradientShift - curveBoth * gradientSlope) / determinant;
    const damping = Math.min(1, 1 / Math.max(Math.abs(moveSlope), Math.abs(moveShift) / 4, 1e-9));
    slope -= damping * moveSlope;
    shift -= damping * moveShift;
    if (Math.abs(moveSlope) + Math.abs(moveShift) < 1e-8) break;
  }
  return slope;
}

export function logit(share: number): number {
  return Math.log(share / (1 - share));
}
