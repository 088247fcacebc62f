import { stratifiedSample } from './folds.js';
import { sigmoid } from './head-loss.js';
import type { Labelled } from './labelled.js';
import { dotRows, type Matrix, takeRows } from './matrix.js';

/**
 * How unlike the training images an image is: by its cosine to the nearest of them, where a classifier's own confidence says
 * nothing. docs/training.md has figures.
 */
export interface UnlikeGate {
  /** Features of training images, a row each. */
  readonly exemplars: Matrix<Float32Array>;
  /** Cosine to the nearest one with a probability of one half. */
  readonly threshold: number;
  /** How fast the probability changes with the cosine. */
  readonly slope: number;
}

/** Maximum of exemplars: each is 12 kB of the model's file. */
const maxExemplars = 256;
/** With fewer training images, or fewer backgrounds, their spread is not known. */
const leastImages = 5;
const leastBackgrounds = 20;
/** Without backgrounds: of normally distributed training images, one in twenty is below the threshold. */
const deviations = 1.645;
const logitsPerDeviation = 2;
const leastDeviation = 0.01;

/**
 * The curve between training images, each compared with the others, and photographs of other things: logistic regression
 * on the cosine, both sides with the same weight (Platt 1999). Without such photographs it follows the training images alone.
 * @param backgrounds Features of photographs that show none of the labels.
 * @returns undefined where there are too few training images.
 */
export function fitUnlikeGate(
  images: Pick<Labelled, 'features' | 'shown'>,
  backgrounds: Matrix | undefined,
  seed: number,
): UnlikeGate | undefined {
  const exemplars = takeRows(images.features, stratifiedSample(images.shown, maxExemplars, seed));
  if (exemplars.rows < leastImages) return undefined;
  const own = Array.from({ length: exemplars.rows }, (_, row) =>
    nearestExemplar({ exemplars }, exemplars, row, row),
  );
  const curve =
    backgrounds && backgrounds.rows >= leastBackgrounds
      ? between(
          own,
          rowsOf(backgrounds, (row) => nearestExemplar({ exemplars }, backgrounds, row)),
        )
      : undefined;
  return { exemplars, ...(curve ?? below(own)) };
}

/** Probability that an image is none like the training images: 0 to 1. */
export function unlikeProbability(gate: UnlikeGate, features: Matrix, row: number): number {
  return sigmoid(gate.slope * (gate.threshold - nearestExemplar(gate, features, row)));
}

/** Share of images that count as unlike the training images; null where there is none. */
export function unlikeShare(
  gate: UnlikeGate,
  features: Matrix,
): { readonly images: number; readonly share: number | null } {
  const unlike = rowsOf(features, (row) => unlikeProbability(gate, features, row)).filter(
    (one) => one >= 0.5,
  );
  return { images: features.rows, share: features.rows > 0 ? unlike.length / features.rows : null };
}

/** @param except An exemplar that is left out. */
function nearestExemplar(
  { exemplars }: Pick<UnlikeGate, 'exemplars'>,
  features: Matrix,
  row: number,
  except = -1,
): number {
  let nearest = -1;
  for (let other = 0; other < exemplars.rows; other++) {
    if (other !== except) nearest = Math.max(nearest, dotRows(features, row, exemplars, other));
  }
  return nearest;
}

function rowsOf<T>({ rows }: Matrix, map: (row: number) => T): T[] {
  return Array.from({ length: rows }, (_, row) => map(row));
}

type Curve = Pick<UnlikeGate, 'threshold' | 'slope'>;

function below(own: readonly number[]): Curve {
  const { mean, deviation } = spreadOf(own);
  return { threshold: mean - deviations * deviation, slope: logitsPerDeviation / deviation };
}

/** @returns undefined where the backgrounds are no farther away than the training images are from each other. */
function between(own: readonly number[], others: readonly number[]): Curve | undefined {
  const { mean, deviation } = spreadOf([...own, ...others]);
  const side = (cosines: readonly number[], isOther: boolean) =>
    cosines.map((cosine) => ({
      x: (cosine - mean) / deviation,
      // Smoothed, so that the curve of two sides that do not overlap is finite.
      target: isOther ? 1 - 1 / (cosines.length + 2) : 1 / (cosines.length + 2),
      weight: 0.5 / cosines.length,
    }));
  const points = [...side(own, false), ...side(others, true)];
  let [slope, shift] = [0, 0];
  for (let step = 0; step < 50; step++) {
    let [gradientSlope, gradientShift, curveSlope, curveBoth, curveShift] = [0, 0, 1e-6, 0, 1e-6];
    for (const { x, target, weight } of points) {
      const chance = sigmoid(slope * x + shift);
      const residual = weight * (chance - target);
      const bend = weight * chance * (1 - chance);
      gradientSlope += residual * x;
      gradientShift += residual;
      curveSlope += bend * x * x;
      curveBoth += bend * x;
      curveShift += bend;
    }
    const determinant = curveSlope * curveShift - curveBoth * curveBoth;
    const moveSlope = (curveShift * gradientSlope - curveBoth * gradientShift) / determinant;
    const moveShift = (curveSlope * gradientShift - curveBoth * gradientSlope) / determinant;
    const damping = Math.min(1, 1 / Math.max(Math.abs(moveSlope), Math.abs(moveShift), 1e-9));
    slope -= damping * moveSlope;
    shift -= damping * moveShift;
    if (Math.abs(moveSlope) + Math.abs(moveShift) < 1e-8) break;
  }
  if (slope >= 0) return undefined;
  return { threshold: mean - (shift / slope) * deviation, slope: -slope / deviation };
}

function spreadOf(cosines: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  const squares = cosines.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0);
  return { mean, deviation: Math.max(leastDeviation, Math.sqrt(squares / Math.max(1, cosines.length - 1))) };
}
