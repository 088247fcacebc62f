import { minimiseAwaited } from '../classifier/minimise.js';
import type { Products } from '../products.js';
import type { DetectorBackbone } from './cut-detector.js';
import type { LabelHead } from './head.js';
import type { LevelRows } from './training-rows.js';

/** Ridge penalties of the weights, in units of the loss, found on tasks of benchmarks. */
export interface Penalties {
  readonly logits: number;
  readonly features: number;
  readonly shapes: number;
}

export interface FitOptions {
  readonly products: Products;
  /** The head to start from. */
  readonly start: LabelHead | undefined;
  readonly maxSteps: number;
  /** Called at every evaluation of the rows. */
  onStep(): void;
}

/**
 * Logistic regression of scaled rows; convex, so that the start affects only the time.
 */
export async function fitHead(
  { levels, classes }: DetectorBackbone,
  rows: readonly LevelRows[],
  penalties: Penalties,
  { products, start, maxSteps, onStep }: FitOptions,
): Promise<LabelHead> {
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

  const objective = async (point: Float64Array, gradient: Float64Array): Promise<number> => {
    onStep();
    const near = Float32Array.from(point);
    let loss = 0;
    for (let index = 0; index < size; index++) {
      const held = (penalty[index] ?? 0) * (point[index] ?? 0);
      gradient[index] = held;
      loss += (held * (point[index] ?? 0)) / 2;
    }
    let shape = shapesAt;
    for (const [level, { dims, anchorsPerCell }] of levels.entries()) {
      const block = rows[level];
      if (block && block.targets.length > 0) {
        const layout = { dims, classes, featuresAt: offsets[level] ?? 0, shapesAt: shape, biasAt };
        loss += await addLevel(products, block, layout, near, gradient);
      }
      shape += anchorsPerCell;
    }
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
  await minimiseAwaited(objective, point, { maxIterations: maxSteps, tolerance });
  return {
    bias: point[biasAt] ?? 0,
    shapes: point.slice(shapesAt, biasAt),
    logits: point.slice(0, classes),
    levels: levels.map(({ dims }, level) => point.slice(offsets[level], (offsets[level] ?? 0) + dims)),
  };
}

/** Converged when no component of the gradient is larger; an image has the weight 10. */
const tolerance = 0.3;

interface BlockLayout {
  readonly dims: number;
  readonly classes: number;
  readonly featuresAt: number;
  readonly shapesAt: number;
  readonly biasAt: number;
}

/** Adds the loss of one level's rows, and its gradient. */
async function addLevel(
  products: Products,
  block: LevelRows,
  { dims, classes, featuresAt, shapesAt, biasAt }: BlockLayout,
  point: Float32Array,
  gradient: Float64Array,
): Promise<number> {
  const { anchors, targets, weights } = block;
  const rows = targets.length;
  const parts = [
    { values: { data: block.logits, rows, columns: classes }, at: 0 },
    { values: { data: block.features, rows, columns: dims }, at: featuresAt },
  ];
  const scores = await Promise.all(
    parts.map(({ values, at }) =>
      // A matrix times a column takes half the time of a row times the matrix's rows.
      products.multiply(values, {
        data: point.subarray(at, at + values.columns),
        rows: values.columns,
        columns: 1,
      }),
    ),
  );
  let loss = 0;
  const residuals = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const shapeAt = shapesAt + (anchors[row] ?? 0);
    let score = (point[biasAt] ?? 0) + (point[shapeAt] ?? 0);
    for (const part of scores) score += part[row] ?? 0;
    const target = targets[row] ?? 0;
    const weight = weights[row] ?? 0;
    const margin = target === 1 ? score : -score;
    loss += weight * (margin > 0 ? Math.log1p(Math.exp(-margin)) : Math.log1p(Math.exp(margin)) - margin);
    const residual = weight * (1 / (1 + Math.exp(-score)) - target);
    gradient[biasAt] = (gradient[biasAt] ?? 0) + residual;
    gradient[shapeAt] = (gradient[shapeAt] ?? 0) + residual;
    residuals[row] = residual;
  }
  for (const { values, at } of parts) {
    const sums = await products.multiply({ data: residuals, rows: 1, columns: rows }, values);
    for (const [column, sum] of sums.entries()) gradient[at + column] = (gradient[at + column] ?? 0) + sum;
  }
  return loss;
}
