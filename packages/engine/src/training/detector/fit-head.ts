import { minimise } from '../classifier/minimise.js';
import type { DetectorBackbone } from './cut-detector.js';
import { dotAt } from './dot.js';
import type { LabelHead } from './head.js';
import type { LevelRows } from './training-rows.js';

/** Ridge penalties of the weights, in units of the loss, found on tasks of benchmarks. */
export interface Penalties {
  readonly logits: number;
  readonly features: number;
  readonly shapes: number;
}

export interface FitOptions {
  /** The head to start from. */
  readonly start: LabelHead | undefined;
  readonly maxSteps: number;
  /** Called at every evaluation of the rows. */
  onStep(): void;
}

/**
 * Logistic regression of scaled rows; convex, so that the start affects only the time.
 */
export function fitHead(
  { levels, classes }: DetectorBackbone,
  rows: readonly LevelRows[],
  penalties: Penalties,
  { start, maxSteps, onStep }: FitOptions,
): LabelHead {
  const offsets: number[] = [];
  let size = classes;
  for (const { dims } of levels) {
    offsets.push(size);
    size += dims;
  }
  const shapesAt = size;
  size += levels.reduce((sum, { anchorsPerCell }) => sum + anchorsPerCell, 0);
  const biasAt = size++;
  const penaltyOf = (index: number): number => {
    if (index < classes) return penalties.logits;
    if (index < shapesAt) return penalties.features;
    return index < biasAt ? penalties.shapes : 0;
  };
  const penalty = Float64Array.from({ length: size }, (_, index) => penaltyOf(index));

  const objective = (point: Float64Array, gradient: Float64Array): number => {
    onStep();
    const near = Float32Array.from(point);
    let loss = 0;
    for (let index = 0; index < size; index++) {
      const held = (penalty[index] ?? 0) * (point[index] ?? 0);
      gradient[index] = held;
      loss += (held * (point[index] ?? 0)) / 2;
    }
    let shape = shapesAt;
    levels.forEach(({ dims, anchorsPerCell }, level) => {
      const block = rows[level];
      if (block) {
        const layout = { dims, classes, featuresAt: offsets[level] ?? 0, shapesAt: shape, biasAt };
        loss += addLevel(block, layout, near, gradient);
      }
      shape += anchorsPerCell;
    });
    return loss;
  };

  const point = new Float64Array(size);
  if (start) {
    point.set(start.logits, 0);
    start.levels.forEach((weights, level) => {
      point.set(weights, offsets[level]);
    });
    point.set(start.shapes, shapesAt);
    point[biasAt] = start.bias;
  }
  minimise(objective, point, { maxIterations: maxSteps, tolerance });
  return {
    bias: point[biasAt] ?? 0,
    shapes: point.slice(shapesAt, biasAt),
    logits: point.slice(0, classes),
    levels: levels.map(({ dims }, level) => point.slice(offsets[level], (offsets[level] ?? 0) + dims)),
  };
}

/** Converged when no component of the gradient is larger; an image has the weight 10. */
const tolerance = 0.3;
/** A row's gradient that is negligible compared with the weight of an image, 10. */
const negligible = 1e-6;

interface BlockLayout {
  readonly dims: number;
  readonly classes: number;
  readonly featuresAt: number;
  readonly shapesAt: number;
  readonly biasAt: number;
}

/** Adds the loss of one level's rows, and its gradient. */
function addLevel(rows: LevelRows, layout: BlockLayout, point: Float32Array, gradient: Float64Array): number {
  const { dims, classes, featuresAt, shapesAt, biasAt } = layout;
  const { features, logits, anchors, targets, weights } = rows;
  let loss = 0;
  // Rows that are settled, most of them after a few steps, have no gradient.
  const unsettled: number[] = [];
  const residuals: number[] = [];
  for (let row = 0; row < targets.length; row++) {
    const shapeAt = shapesAt + (anchors[row] ?? 0);
    let score = (point[biasAt] ?? 0) + (point[shapeAt] ?? 0);
    score += dotAt(logits, row * classes, point, 0, classes);
    score += dotAt(features, row * dims, point, featuresAt, dims);
    const target = targets[row] ?? 0;
    const weight = weights[row] ?? 0;
    const margin = target === 1 ? score : -score;
    loss += weight * (margin > 0 ? Math.log1p(Math.exp(-margin)) : Math.log1p(Math.exp(margin)) - margin);
    const residual = weight * (1 / (1 + Math.exp(-score)) - target);
    if (Math.abs(residual) < negligible) continue;
    gradient[biasAt] = (gradient[biasAt] ?? 0) + residual;
    gradient[shapeAt] = (gradient[shapeAt] ?? 0) + residual;
    unsettled.push(row);
    residuals.push(residual);
  }
  addRows(gradient, 0, { values: logits, width: classes, rows: unsettled, factors: residuals });
  addRows(gradient, featuresAt, { values: features, width: dims, rows: unsettled, factors: residuals });
  return loss;
}

interface ScaledRows {
  /** [rows, width] */
  readonly values: Float32Array;
  readonly width: number;
  readonly rows: readonly number[];
  /** Of each of the rows. */
  readonly factors: readonly number[];
}

/** Adds rows times their factors, four at a time: the sums are then read and written a quarter as often. */
function addRows(sums: Float64Array, sumsAt: number, { values, width, rows, factors }: ScaledRows): void {
  for (let index = 0; index < rows.length; index += 4) {
    // Behind the last row comes the first one, times nothing.
    const at = (next: number) => (rows[index + next] ?? 0) * width;
    const [first, second, third, fourth] = [at(0), at(1), at(2), at(3)];
    const [ofFirst = 0, ofSecond = 0, ofThird = 0, ofFourth = 0] = factors.slice(index, index + 4);
    for (let column = 0; column < width; column++) {
      sums[sumsAt + column] =
        (sums[sumsAt + column] ?? 0) +
        ofFirst * (values[first + column] ?? 0) +
        ofSecond * (values[second + column] ?? 0) +
        ofThird * (values[third + column] ?? 0) +
        ofFourth * (values[fourth + column] ?? 0);
    }
  }
}
