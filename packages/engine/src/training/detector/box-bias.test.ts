import { expect, test } from 'vitest';
import { applyBoxBias, fitBoxBias, noBoxBias } from './box-bias.js';

/** An image with a labelled box, and the backbone's boxes, whose sides are further in by this much. */
const image = (box: readonly [number, number, number, number], insets: readonly number[]) => ({
  anchors: () => ({
    corners: Float32Array.from(
      insets.flatMap((inset) => [
        box[0] + inset * (box[2] - box[0]),
        box[1],
        box[2],
        box[3] - inset * (box[3] - box[1]),
      ]),
    ),
  }),
  truths: [box],
});

test('boxes that are too small on one side are made larger on that side, by their own size', () => {
  const images = Array.from({ length: 400 }, (_, index) =>
    image([0.1, 0.1, 0.5 + index / 1000, 0.6], [0.1, 0.1, 0.1]),
  );
  const boxBias = fitBoxBias(images);
  expect(boxBias[0]).toBeCloseTo(0.1 / 0.9, 2);
  expect(boxBias[1]).toBeCloseTo(0, 2);
  expect(boxBias[2]).toBeCloseTo(0, 2);
  expect(boxBias[3]).toBeCloseTo(0.1 / 0.9, 2);
  const [xMin, yMin, xMax, yMax] = applyBoxBias(Float32Array.of(9, 9, 9, 9, 0.2, 0.2, 0.4, 0.6), 1, boxBias);
  expect(xMin).toBeCloseTo(0.2 - 0.2 / 9, 3);
  expect(yMin).toBeCloseTo(0.2, 3);
  expect(xMax).toBeCloseTo(0.4, 3);
  expect(yMax).toBeCloseTo(0.6 + 0.4 / 9, 3);
});

test('with few images boxes are moved with caution', () => {
  const box = [0.1, 0.1, 0.9, 0.9] as const;
  const [one, many] = [1, 100].map((count) =>
    fitBoxBias(Array.from({ length: count }, () => image(box, [0.1]))),
  );
  expect(one?.[0]).toBeGreaterThan(0.04);
  expect(one?.[0]).toBeLessThan(0.06);
  expect(many?.[0]).toBeGreaterThan(0.1);
});

test('an image with many anchors counts no more than one with a single one', () => {
  const box = [0.1, 0.1, 0.9, 0.9] as const;
  const crowded = image(
    box,
    Array.from({ length: 50 }, () => 0.15),
  );
  const images = [crowded, image(box, [0.05]), image(box, [0.05]), image(box, [0.05])];
  const alone = fitBoxBias(Array.from({ length: 4 }, () => image(box, [0.05])));
  expect(fitBoxBias(images)).toEqual(alone);
});

test('a single stray image moves nothing', () => {
  const box = [0.1, 0.1, 0.9, 0.9] as const;
  const images = [...Array.from({ length: 9 }, () => image(box, [0])), image(box, [0.15])];
  expect(fitBoxBias(images).every((side) => Math.abs(side) < 1e-6)).toBe(true);
});

test('where no anchor fits a labelled box, and without any, boxes stay where they are', () => {
  expect(fitBoxBias([image([0.1, 0.1, 0.9, 0.9], [0.7])])).toEqual(noBoxBias);
  expect(fitBoxBias([{ anchors: () => ({ corners: new Float32Array(8) }), truths: [] }])).toEqual(noBoxBias);
});
