import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cropAround, toShares } from './box-geometry.js';

const box = { x_min: 100, y_min: 60, x_max: 180, y_max: 180 };
const size = { width: 640, height: 480 };
const anyBox = fc
  .tuple(fc.integer({ min: -50, max: 700 }), fc.integer({ min: -50, max: 500 }), fc.nat(400), fc.nat(400))
  .map(([x, y, w, h]) => ({ x_min: x, y_min: y, x_max: x + w, y_max: y + h }));

describe('a box', () => {
  test('is drawn around the face at any size of the page', () => {
    expect(toShares(box, size)).toEqual({ x: 0.15625, y: 0.125, width: 0.125, height: 0.25 });
  });

  test('is clipped to the image', () => {
    fc.assert(
      fc.property(anyBox, (any) => {
        const { x, y, width, height } = toShares(any, size);
        expect([x, y, width, height].every((value) => value >= 0)).toBe(true);
        expect(x + width).toBeLessThanOrEqual(1 + 1e-9);
        expect(y + height).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
  });
});

describe('the crop around a face', () => {
  test('has a margin on each side', () => {
    expect(cropAround(box, size, 0.5)).toEqual({ x: 40, y: 0, width: 200, height: 240 });
  });

  test('is whole pixels of the image, at least one', () => {
    const inside = anyBox.filter(({ x_min, y_min }) => x_min < size.width && y_min < size.height);
    fc.assert(
      fc.property(inside, (any) => {
        const { x, y, width, height } = cropAround(any, size, 0.6);
        expect([x, y, width, height].every(Number.isInteger)).toBe(true);
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(1);
        expect(x + width).toBeLessThanOrEqual(size.width);
        expect(y + height).toBeLessThanOrEqual(size.height);
      }),
    );
  });
});
