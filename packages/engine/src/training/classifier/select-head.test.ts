import { expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.js';
import type { Labelled } from './labelled.js';
import { measure } from './measure.js';
import { selectHead } from './select-head.js';
import { predict } from './trained-head.js';

/** Two overlapping classes, with a best possible accuracy of about three in four. */
function overlapping(count: number, seed: number): Labelled {
  const random = seededRandom(seed);
  const columns = 10;
  // Nearly normal, of standard deviation .5.
  const noise = () => random() + random() + random() - 1.5;
  const shown = Array.from({ length: count }, (_, row) => [row % 2]);
  const data = Float32Array.from(
    shown.flatMap(([label = 0]) =>
      Array.from({ length: columns }, (_, column) => (column === 0 ? label * 0.8 : 0) + noise()),
    ),
  );
  return { features: { data, rows: count, columns }, shown, classes: 2, link: 'softmax' };
}

test('probabilities are calibrated on unseen images', () => {
  const { trained } = selectHead(overlapping(200, 1), { none: undefined, seed: 1 }, () => {});
  const fresh = overlapping(2000, 2);
  const probabilities = predict(trained, fresh.features);
  const figures = measure({ probabilities, shown: fresh.shown, link: 'softmax', thresholds: [] }, [100, 100]);
  expect(figures.accuracy).toBeGreaterThan(0.7);
  expect(figures.calibration.ece).toBeLessThan(0.05);
});

test('with few images no head is confident, however well they are separated', () => {
  const few = overlapping(8, 3);
  for (const [row, [label = 0]] of few.shown.entries()) few.features.data[row * 10] = label * 5;
  const { trained } = selectHead(few, { none: undefined, seed: 1 }, () => {});
  expect(Math.max(...predict(trained, few.features).data)).toBeLessThan(0.99);
});

test('a selection reports its progress, to the end', () => {
  const progress: [number, number][] = [];
  selectHead(overlapping(40, 1), { none: undefined, seed: 1 }, (done, total) => progress.push([done, total]));
  const [done, total] = progress.at(-1) ?? [];
  expect(done).toBe(total);
  expect(progress.slice(0, -1).every(([done]) => done < (total ?? 0))).toBe(true);
});
