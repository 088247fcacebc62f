import { expect, test } from 'vitest';
import { areaRanges, averagePrecision, judge, workingPoint } from './average-precision.js';

const box = (xMin: number, size = 100) => ({ xMin, yMin: 0, xMax: xMin + size, yMax: size });
const truth = (xMin: number, classIndex = 0) => ({ classIndex, box: box(xMin) });
const found = (score: number, xMin: number, classIndex = 0) => ({ classIndex, score, box: box(xMin) });

test('finding everything exactly scores 1', () => {
  const judgement = judge(
    [{ truths: [truth(0), truth(300)], detections: [found(0.9, 0), found(0.8, 300)] }],
    1,
  );
  expect(averagePrecision(judgement)).toEqual({ ap: 1, ap50: 1 });
});

test('finding half, without a false box, scores the reached 51 of 101 recall points', () => {
  const judgement = judge([{ truths: [truth(0), truth(300)], detections: [found(0.9, 0)] }], 1);
  expect(averagePrecision(judgement).ap50).toBeCloseTo(51 / 101);
});

test('a false positive ranked first halves the precision', () => {
  const judgement = judge([{ truths: [truth(0)], detections: [found(0.9, 500), found(0.8, 0)] }], 1);
  expect(averagePrecision(judgement).ap50).toBeCloseTo(0.5);
});

test('a second box on the same object is a false positive', () => {
  const judgement = judge([{ truths: [truth(0)], detections: [found(0.9, 0), found(0.8, 2)] }], 1);
  expect(workingPoint(judgement, 0.5)).toMatchObject({ precision: 0.5, recall: 1 });
});

test('a shifted box counts at the loose thresholds only', () => {
  // Shifted by 20 of 100: IoU 80/120 = .667, so a hit at .50 to .65, four of ten thresholds.
  const judgement = judge([{ truths: [truth(0)], detections: [found(0.9, 20)] }], 1);
  const { ap, ap50 } = averagePrecision(judgement);
  expect(ap50).toBe(1);
  expect(ap).toBeCloseTo(0.4);
});

test('classes without a labelled box do not count', () => {
  const judgement = judge([{ truths: [truth(0)], detections: [found(0.9, 0), found(0.9, 0, 7)] }], 80);
  expect(averagePrecision(judgement).ap).toBe(1);
});

test('a weight counts an image that often', () => {
  const images = [
    { truths: [truth(0)], detections: [found(0.9, 0)] },
    { truths: [truth(0)], detections: [] },
  ];
  expect(averagePrecision(judge(images, 1), [1, 0]).ap50).toBe(1);
  expect(averagePrecision(judge(images, 1), [0, 1]).ap50).toBe(0);
});

test('by size, labelled boxes of other sizes are ignored with what finds them, and so are misses of other sizes', () => {
  const at = (xMin: number, size: number) => ({ classIndex: 0, box: box(xMin, size) });
  const images = [
    {
      truths: [at(0, 20), at(100, 200)],
      detections: [
        { score: 0.9, ...at(100, 200) },
        { score: 0.8, ...at(400, 150) },
        { score: 0.7, ...at(0, 20) },
        { score: 0.6, ...at(300, 25) },
      ],
    },
  ];
  const of = (range: (typeof areaRanges)[keyof typeof areaRanges]) =>
    averagePrecision(judge(images, 1, range)).ap50;
  // The large box and the large miss do not count among small ones; the small miss comes after the hit.
  expect(of(areaRanges.small)).toBe(1);
  expect(of(areaRanges.large)).toBe(1);
  expect(of(areaRanges.medium)).toBeNaN();
  const earlier = [
    {
      ...images[0],
      truths: images[0]?.truths ?? [],
      detections: [...(images[0]?.detections ?? [])].reverse(),
    },
  ];
  expect(
    averagePrecision(
      judge(
        earlier.map((image) => ({
          ...image,
          detections: image.detections.map((found, index) => ({ ...found, score: 0.9 - index / 10 })),
        })),
        1,
        areaRanges.small,
      ),
    ).ap50,
  ).toBeCloseTo(0.5);
});
