import { expect, test } from 'vitest';
import { fitOutset, noOutset, outsetCorners } from './outset.js';

/** A picture with a labelled box, and what the backbone makes of it: boxes whose sides stand so far further in. */
const picture = (box: readonly [number, number, number, number], insets: readonly number[]) => ({
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
  const pictures = Array.from({ length: 400 }, (_, index) =>
    picture([0.1, 0.1, 0.5 + index / 1000, 0.6], [0.1, 0.1, 0.1]),
  );
  const outset = fitOutset(pictures);
  expect(outset[0]).toBeCloseTo(0.1 / 0.9, 2);
  expect(outset[1]).toBeCloseTo(0, 2);
  expect(outset[2]).toBeCloseTo(0, 2);
  expect(outset[3]).toBeCloseTo(0.1 / 0.9, 2);
  const [xMin, yMin, xMax, yMax] = outsetCorners(Float32Array.of(9, 9, 9, 9, 0.2, 0.2, 0.4, 0.6), 1, outset);
  expect(xMin).toBeCloseTo(0.2 - 0.2 / 9, 3);
  expect(yMin).toBeCloseTo(0.2, 3);
  expect(xMax).toBeCloseTo(0.4, 3);
  expect(yMax).toBeCloseTo(0.6 + 0.4 / 9, 3);
});

test('of a few pictures boxes are moved with caution', () => {
  const box = [0.1, 0.1, 0.9, 0.9] as const;
  const [one, many] = [1, 100].map((count) =>
    fitOutset(Array.from({ length: count }, () => picture(box, [0.1]))),
  );
  expect(one?.[0]).toBeGreaterThan(0.04);
  expect(one?.[0]).toBeLessThan(0.06);
  expect(many?.[0]).toBeGreaterThan(0.1);
});

test('a picture with many anchors counts no more than one with a single one', () => {
  const box = [0.1, 0.1, 0.9, 0.9] as const;
  const crowded = picture(
    box,
    Array.from({ length: 50 }, () => 0.15),
  );
  const pictures = [crowded, picture(box, [0.05]), picture(box, [0.05]), picture(box, [0.05])];
  const alone = fitOutset(Array.from({ length: 4 }, () => picture(box, [0.05])));
  expect(fitOutset(pictures)).toEqual(alone);
});

test('a single stray picture moves nothing', () => {
  const box = [0.1, 0.1, 0.9, 0.9] as const;
  const pictures = [...Array.from({ length: 9 }, () => picture(box, [0])), picture(box, [0.15])];
  expect(fitOutset(pictures).every((side) => Math.abs(side) < 1e-6)).toBe(true);
});

test('where no anchor fits a labelled box, and without any, boxes stay where they are', () => {
  expect(fitOutset([picture([0.1, 0.1, 0.9, 0.9], [0.7])])).toEqual(noOutset);
  expect(fitOutset([{ anchors: () => ({ corners: new Float32Array(8) }), truths: [] }])).toEqual(noOutset);
});
