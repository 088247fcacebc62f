import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCut, sliceImage } from './slices.js';

const side = fc.integer({ min: 1, max: 30_000 });

test('slices cover the image, overlap, stay inside it, and are few', () => {
  fc.assert(
    fc.property(side, side, (width, height) => {
      const slices = sliceImage({ width, height });
      expect(slices.length).toBeLessThanOrEqual(24);
      if (slices.length === 0) {
        expect(Math.max(width, height)).toBeLessThan(960);
        return;
      }
      for (const { xMin, yMin, xMax, yMax } of slices) {
        expect(Math.min(xMin, yMin)).toBeGreaterThanOrEqual(0);
        expect(xMax).toBeLessThanOrEqual(width);
        expect(yMax).toBeLessThanOrEqual(height);
        expect(xMax > xMin && yMax > yMin).toBe(true);
      }
      const columns = [...new Map(slices.map(({ xMin, xMax }) => [xMin, xMax]))].sort(([a], [b]) => a - b);
      expect(columns[0]?.[0]).toBe(0);
      expect(columns.at(-1)?.[1]).toBe(width);
      for (const [index, [xMin]] of columns.entries()) {
        const before = columns[index - 1];
        if (before) expect(before[1] - xMin).toBeGreaterThan(0.2 * (before[1] - before[0]));
      }
      expect(slices).toHaveLength(columns.length * new Set(slices.map(({ yMin }) => yMin)).size);
    }),
    { numRuns: 300 },
  );
});

test('a photograph as detectors are trained on has none', () => {
  expect(sliceImage({ width: 640, height: 480 })).toEqual([]);
  expect(sliceImage({ width: 4000, height: 3000 }).length).toBeGreaterThan(12);
});

test('a box at a border that is none of the image is cut, and one at the border of the image is whole', () => {
  const slice = { xMin: 0, yMin: 480, xMax: 640, yMax: 1120 };
  const image = { width: 2000, height: 1500 };
  const box = { xMin: 100, yMin: 600, xMax: 200, yMax: 700 };
  expect(isCut(box, slice, image)).toBe(false);
  expect(isCut({ ...box, xMin: 0 }, slice, image)).toBe(false);
  expect(isCut({ ...box, yMin: 481 }, slice, image)).toBe(true);
  expect(isCut({ ...box, xMax: 639 }, slice, image)).toBe(true);
  expect(isCut({ ...box, yMax: 1118 }, slice, image)).toBe(true);
});
