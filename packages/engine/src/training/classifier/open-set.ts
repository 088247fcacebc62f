import { sigmoid } from './head-loss.js';
import type { Labelled } from './labelled.js';
import { addRow, dotRows, type Matrix } from './matrix.js';

/**
 * Detects images that show none of the classes: those far from every class's centre. It needs no examples of other
 * objects, and on photographs it is better than the head's confidence (docs/training.md has figures).
 */
export interface OpenSetGate {
  /** Directions of the classes' means, of length 1; a row a class. */
  readonly centres: Matrix<Float64Array>;
  /** Cosine to the nearest centre with equal probability of both. */
  readonly threshold: number;
  /** How fast the probability changes with the cosine. */
  readonly slope: number;
}

/** Of normally distributed images of the classes, one in twenty is below. */
const deviations = 1.645;
/** Two logits a standard deviation: at the mean the probability of none is .04. */
const logitsPerDeviation = 2;
const leastDeviation = 0.01;

/** @param classes Number of classes, the first ones; images of none of them are ignored. */
export function fitOpenSet(images: Labelled, classes: number): OpenSetGate {
  const { features, shown } = images;
  const sums = sumRows(images, classes);
  const own = shown.flatMap(([label = classes], row) =>
    label < classes ? [cosineToOthers(sums, label, features, row)] : [],
  );
  const mean = own.reduce((sum, cosine) => sum + cosine, 0) / own.length;
  const squares = own.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0);
  const deviation = Math.max(leastDeviation, Math.sqrt(squares / Math.max(1, own.length - 1)));
  return {
    centres: toUnitRows(sums),
    threshold: mean - deviations * deviation,
    slope: logitsPerDeviation / deviation,
  };
}

/** Probability that an image shows none of the classes, by its cosine to the nearest centre. */
export function noneProbability({ threshold, slope }: OpenSetGate, cosine: number): number {
  return sigmoid(slope * (threshold - cosine));
}

/** Cosines to the nearest centre that images would have had, had they not been among those of their class. */
export function unseenCosines(images: Labelled, classes: number): Float64Array {
  const { features, shown } = images;
  const sums = sumRows(images, classes);
  const centres = toUnitRows(sums);
  return Float64Array.from(shown, ([own = classes], row) => {
    let nearest = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < classes; c++) {
      const isOwn = c === own;
      const cosine = isOwn ? cosineToOthers(sums, c, features, row) : dotRows(features, row, centres, c);
      nearest = Math.max(nearest, cosine);
    }
    return nearest;
  });
}

export function nearestCosine({ centres }: OpenSetGate, features: Matrix, row: number): number {
  let nearest = Number.NEGATIVE_INFINITY;
  for (let c = 0; c < centres.rows; c++) nearest = Math.max(nearest, dotRows(features, row, centres, c));
  return nearest;
}

function sumRows({ features, shown }: Labelled, classes: number): Matrix<Float64Array> {
  const { columns } = features;
  const sums = { data: new Float64Array(classes * columns), rows: classes, columns };
  for (const [row, [label = classes]] of shown.entries()) {
    if (label < classes) addRow(sums, label, 1, features, row);
  }
  return sums;
}

/** Cosine of an image to the middle of the others of its class, as a new image would have it. */
function cosineToOthers(sums: Matrix, label: number, features: Matrix, row: number): number {
  const own = dotRows(features, row, features, row);
  const along = dotRows(features, row, sums, label) - own;
  const length = Math.sqrt(dotRows(sums, label, sums, label) - 2 * (along + own) + own);
  // A class with a single image has no known spread.
  return length > 1e-6 ? along / length : 1;
}

function toUnitRows({ data, rows, columns }: Matrix<Float64Array>): Matrix<Float64Array> {
  const unit = { data: data.slice(), rows, columns };
  for (let row = 0; row < rows; row++) {
    const length = Math.sqrt(dotRows(unit, row, unit, row)) || 1;
    for (let at = row * columns; at < (row + 1) * columns; at++)
      unit.data[at] = (unit.data[at] ?? 0) / length;
  }
  return unit;
}
