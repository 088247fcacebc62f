import { expect, test } from 'vitest';
import { openProducts } from '../products.js';
import { seededRandom } from '../seeded-random.js';
import { cellFeatures, locationOf, ownLogits } from './anchor-sample.js';
import { foldHead, scoreAnchors } from './head.js';

const random = seededRandom(3);
const floats = (length: number) => Float32Array.from({ length }, () => random() * 2 - 1);
const doubles = (length: number) => Float64Array.from(floats(length));
const level = (dims: number, anchorsPerCell: number) => ({
  features: '',
  dims,
  anchorsPerCell,
  weights: floats(anchorsPerCell * 3 * dims),
  biases: floats(anchorsPerCell * 3),
});
const scale = (dims: number) => ({
  means: floats(dims),
  spreads: floats(dims).map((spread) => 1.5 + spread),
});

test('the folded map scores an anchor as its scaled features, own logits and shape do', async () => {
  const backbone = {
    model: { graph: {} },
    levels: [level(5, 2), level(7, 3)],
    classes: 3,
    corners: '',
    columns: [0, 1, 2, 3] as const,
  };
  const scaling = { logits: scale(3), levels: [scale(5), scale(7)] };
  const head = { bias: 0.3, shapes: doubles(5), logits: doubles(3), levels: [doubles(5), doubles(7)] };
  const sample = { levels: [floats(4 * 5), floats(2 * 7)] };
  const products = await openProducts();
  const all = Array.from({ length: 4 * 2 + 2 * 3 }, (_, index) => index);
  const own = await ownLogits(backbone, sample, all, products).finally(() => products.close());
  const scores = scoreAnchors(backbone, foldHead(backbone, scaling, head), sample);
  expect(scores.length).toBe(4 * 2 + 2 * 3);
  for (const [index, score] of scores.entries()) {
    const location = locationOf(backbone, sample, index);
    const features = cellFeatures(backbone, sample, location);
    const scaled = (
      values: Float32Array,
      { means, spreads }: ReturnType<typeof scale>,
      weights?: Float64Array,
    ) =>
      values.reduce(
        (sum, value, at) => sum + ((value - (means[at] ?? 0)) / (spreads[at] ?? 1)) * (weights?.[at] ?? 0),
        0,
      );
    const expected =
      head.bias +
      (head.shapes[(location.level === 0 ? 0 : 2) + location.anchor] ?? 0) +
      scaled(features, scaling.levels[location.level] ?? scale(0), head.levels[location.level]) +
      scaled(own.get(index) ?? floats(0), scaling.logits, head.logits);
    expect(score).toBeCloseTo(expected, 4);
  }
});
