import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProducts, type Products } from '../products.js';
import { seededRandom } from '../seeded-random.js';
import { fitHead } from './fit-head.js';
import type { LabelHead } from './head.js';
import type { LevelRows } from './training-rows.js';

let products: Products;
beforeAll(async () => {
  products = await openProducts();
});
afterAll(() => products.close());

const classes = 3;
const level = (dims: number, anchorsPerCell: number) => ({
  features: '',
  dims,
  anchorsPerCell,
  weights: new Float32Array(anchorsPerCell * classes * dims),
  biases: new Float32Array(anchorsPerCell * classes),
});
const backbone = {
  model: { graph: {} },
  levels: [level(5, 2), level(4, 3), level(6, 1)],
  classes,
  corners: '',
  columns: [0, 1, 2, 3] as const,
};
const penalties = { logits: 10, features: 30, shapes: 1 };
const random = seededRandom(5);
const floats = (length: number) => Float32Array.from({ length }, () => random() * 2 - 1);

function rowsOf(rows: number, dims: number, anchorsPerCell: number): LevelRows {
  return {
    features: floats(rows * dims),
    logits: floats(rows * classes),
    anchors: Uint8Array.from({ length: rows }, (_, row) => row % anchorsPerCell),
    targets: Uint8Array.from({ length: rows }, () => Number(random() < 0.4)),
    weights: floats(rows).map((weight) => 10 + 5 * weight),
  };
}

/** The slope of the loss along each number of a head, in double precision and one row after the other. */
function slopesOf(rows: readonly LevelRows[], { bias, shapes, logits, levels }: LabelHead) {
  const slopes = {
    bias: 0,
    shapes: Array.from(shapes, (weight) => penalties.shapes * weight),
    logits: Array.from(logits, (weight) => penalties.logits * weight),
    levels: levels.map((weights) => Array.from(weights, (weight) => penalties.features * weight)),
  };
  const add = (to: number[], at: number, value: number) => {
    to[at] = (to[at] ?? 0) + value;
  };
  let shape = 0;
  backbone.levels.forEach(({ dims, anchorsPerCell }, index) => {
    const { features, logits: own, anchors, targets, weights } = rows[index] ?? rowsOf(0, dims, 1);
    for (let row = 0; row < targets.length; row++) {
      const inputs = features.subarray(row * dims, (row + 1) * dims);
      const ownInputs = own.subarray(row * classes, (row + 1) * classes);
      const shapeAt = shape + (anchors[row] ?? 0);
      let score = bias + (shapes[shapeAt] ?? 0);
      inputs.forEach((value, dim) => {
        score += value * (levels[index]?.[dim] ?? 0);
      });
      ownInputs.forEach((value, column) => {
        score += value * (logits[column] ?? 0);
      });
      const residual = (weights[row] ?? 0) * (1 / (1 + Math.exp(-score)) - (targets[row] ?? 0));
      slopes.bias += residual;
      add(slopes.shapes, shapeAt, residual);
      inputs.forEach((value, dim) => {
        add(slopes.levels[index] ?? [], dim, residual * value);
      });
      ownInputs.forEach((value, column) => {
        add(slopes.logits, column, residual * value);
      });
    }
    shape += anchorsPerCell;
  });
  return [slopes.bias, ...slopes.shapes, ...slopes.logits, ...slopes.levels.flat()];
}

test('a head is fitted where the loss has no slope, also with a level without rows', async () => {
  const rows = [rowsOf(40, 5, 2), rowsOf(0, 4, 3), rowsOf(30, 6, 1)];
  const options = { products, maxSteps: 200, onStep() {} };
  const head = await fitHead(backbone, rows, penalties, { ...options, start: undefined });
  const steepest = Math.max(...slopesOf(rows, head).map(Math.abs));
  // The tolerance of the fit, and what single precision adds.
  expect(steepest).toBeLessThan(0.31);
  const unfitted = { ...head, bias: head.bias + 0.1 };
  expect(Math.max(...slopesOf(rows, unfitted).map(Math.abs))).toBeGreaterThan(1);
  // From its end a fit has nothing left to do.
  expect(await fitHead(backbone, rows, penalties, { ...options, start: head })).toEqual(head);
});
