import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.js';
import { fitHead, prepareFeatures, scoreImages } from './fit-head.js';
import { headLoss, type Link } from './head-loss.js';
import { balancedWeights, type Labelled, targetsOf } from './labelled.js';
import type { Matrix } from './matrix.js';

/** Random images around one point per class. */
function clusters(counts: readonly number[], columns: number, spread: number, seed = 1): Labelled {
  const random = seededRandom(seed);
  const centres = counts.map(() => Array.from({ length: columns }, () => random() - 0.5));
  const shown = counts.flatMap((count, label) => Array.from({ length: count }, () => [label]));
  const data = Float32Array.from(
    shown.flatMap(([label = 0]) => (centres[label] ?? []).map((x) => x + (random() - 0.5) * spread)),
  );
  return { features: { data, rows: shown.length, columns }, shown, classes: counts.length, link: 'softmax' };
}

const example = fc.record({
  counts: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 4 }),
  columns: fc.integer({ min: 1, max: 6 }),
  seed: fc.integer(),
  link: fc.constantFrom<Link>('softmax', 'sigmoid'),
});

test('the gradient is that of the loss', () => {
  fc.assert(
    fc.property(example, ({ counts, columns, seed, link }) => {
      const images = { ...clusters(counts, columns, 1, seed), link };
      const problem = {
        features: images.features,
        targets: targetsOf(images),
        weights: balancedWeights(images),
        link,
        lambda: 0.1,
      };
      const loss = headLoss(problem);
      const random = seededRandom(seed);
      const at = Float64Array.from({ length: counts.length * (columns + 1) }, () => random() - 0.5);
      const gradient = new Float64Array(at.length);
      loss(at, gradient);
      const ignored = new Float64Array(at.length);
      for (const [index, slope] of gradient.entries()) {
        const [less, more] = [at.slice(), at.slice()];
        less[index] = (at[index] ?? 0) - 1e-5;
        more[index] = (at[index] ?? 0) + 1e-5;
        expect((loss(more, ignored) - loss(less, ignored)) / 2e-5).toBeCloseTo(slope, 5);
      }
    }),
    { numRuns: 50 },
  );
});

describe('a fit', () => {
  test('over products of images is the fit over their features', () => {
    // More columns than images, then as many columns as images.
    const wide = clusters([6, 6, 6], 40, 1.5);
    const { mean } = prepareFeatures(wide.features);
    const reduced = fitHead(wide, 1e-2);
    const centred = wide.features.data.map((x, at) => x - (mean[at % 40] ?? 0));
    const notReduced = {
      rows: { ...wide.features, data: centred },
      expand: (weights: Matrix) => ({ ...weights, data: Float64Array.from(weights.data) }),
    };
    const whole = fitHead(wide, 1e-2, { prepared: { mean, reduced: notReduced } });
    const [a, b] = [reduced, whole].map((head) => scoreImages(head, wide.features).data);
    for (const [at, logit] of (a ?? []).entries()) expect(logit).toBeCloseTo(b?.[at] ?? Number.NaN, 2);
  });

  test('accepts two equal images', () => {
    const images = clusters([4, 4], 20, 1);
    images.features.data.copyWithin(20, 0, 20);
    for (const logit of scoreImages(fitHead(images, 1e-3), images.features).data) {
      expect(Number.isFinite(logit)).toBe(true);
    }
  });

  test('does not prefer the class that has the most images', () => {
    const images = clusters([60, 4], 8, 1.6, 5);
    const { data } = scoreImages(fitHead(images, 1e-2), images.features);
    const rare = [60, 61, 62, 63].filter((row) => (data[row * 2 + 1] ?? 0) > (data[row * 2] ?? 0));
    expect(rare.length).toBeGreaterThanOrEqual(3);
  });

  test('takes seconds over thousands of images', () => {
    const before = process.cpuUsage();
    fitHead(clusters([700, 700, 700], 256, 3), 1e-3);
    // CPU time, since a busy machine delays everything.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(20_000);
  });
});
