import { type HeadProblem, headLoss } from './head-loss.js';
import { balancedWeights, type Labelled, targetsOf } from './labelled.js';
import { dotRows, type Matrix, meanRow, takeRows } from './matrix.js';
import { minimise } from './minimise.js';
import { type ReducedRows, reduceRows } from './reduce-rows.js';

/** Weights, a row a class, and a bias a class: logits are their product with features, plus the bias. */
export interface Head {
  readonly weights: Matrix<Float64Array>;
  readonly bias: Float64Array;
}

/** Maximum multiplications of a fit: about a minute of one thread. */
const maxProducts = 6e10;
const tolerance = 1e-5;

/** Features minus their mean, which only speeds up the fit, in as few columns as possible. */
export interface PreparedFeatures {
  readonly mean: Float64Array;
  readonly reduced: ReducedRows;
}

export function prepareFeatures(features: Matrix<Float32Array>): PreparedFeatures {
  const mean = meanRow(features);
  const { rows, columns } = features;
  const centred = { data: new Float32Array(features.data.length), rows, columns };
  for (let at = 0; at < centred.data.length; at++) {
    centred.data[at] = (features.data[at] ?? 0) - (mean[at % columns] ?? 0);
  }
  return { mean, reduced: reduceRows(centred) };
}

export interface FitOptions {
  readonly prepared?: PreparedFeatures;
  readonly onIteration?: (() => void) | undefined;
}

/** Fits a head to all images. */
export function fitHead(
  images: Labelled,
  lambda: number,
  { prepared = prepareFeatures(images.features), onIteration }: FitOptions = {},
): Head {
  const head = solve(problemOf(images, prepared.reduced.rows, lambda), undefined, onIteration);
  return expandHead(head, prepared);
}

/** The optimisation of a head over reduced features. */
export function problemOf(images: Omit<Labelled, 'features'>, features: Matrix, lambda: number): HeadProblem {
  return {
    features,
    targets: targetsOf(images),
    weights: balancedWeights(images),
    link: images.link,
    lambda,
  };
}

/** @param start Start values, such as the head of the next lambda; zero unless given. */
export function solve(problem: HeadProblem, start?: Head, onIteration?: () => void): Head {
  const { rows, columns } = problem.features;
  const classes = problem.targets.columns;
  const at = new Float64Array(classes * (columns + 1));
  if (start) {
    at.set(start.weights.data);
    at.set(start.bias, classes * columns);
  }
  const perIteration = 2 * rows * columns * classes;
  const maxIterations = Math.max(20, Math.min(300, Math.floor(maxProducts / Math.max(1, perIteration))));
  minimise(headLoss(problem), at, { maxIterations, tolerance, ...(onIteration && { onIteration }) });
  return {
    weights: { data: at.slice(0, classes * columns), rows: classes, columns },
    bias: at.slice(classes * columns),
  };
}

/** A head over reduced features as one over the features themselves. */
export function expandHead({ weights, bias }: Head, { mean, reduced }: PreparedFeatures): Head {
  const expanded = reduced.expand(weights);
  const centre = { data: mean, rows: 1, columns: mean.length };
  return { weights: expanded, bias: bias.map((own, c) => own - dotRows(expanded, c, centre, 0)) };
}

/** Logits, a row an image. */
export function scoreImages({ weights, bias }: Head, features: Matrix): Matrix<Float64Array> {
  const classes = bias.length;
  const data = new Float64Array(features.rows * classes);
  for (let row = 0; row < features.rows; row++) {
    for (let c = 0; c < classes; c++) {
      data[row * classes + c] = dotRows(features, row, weights, c) + (bias[c] ?? 0);
    }
  }
  return { data, rows: features.rows, columns: classes };
}

/** The images at `indexes`. */
export function takeImages(images: Labelled, indexes: readonly number[]): Labelled {
  return {
    ...images,
    features: takeRows(images.features, indexes),
    shown: indexes.map((index) => images.shown[index] ?? []),
  };
}
