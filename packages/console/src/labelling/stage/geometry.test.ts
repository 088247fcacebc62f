import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  boxBetween,
  correctBox,
  handles,
  isLargeEnough,
  type middleBox,
  moveBox,
  overlap,
  resizeBox,
  smallestAt,
} from './geometry.js';

const image = { width: 640, height: 480 };
const number = fc.double({ min: -2000, max: 2000, noNaN: true });
const point = fc.record({ x: number, y: number });
const someBox = fc
  .tuple(point, point)
  .map(([a, b]) => boxBetween(a, b, image))
  .filter(isLargeEnough);

function isWithin({ x_min, y_min, x_max, y_max }: ReturnType<typeof middleBox>): boolean {
  return x_min >= 0 && y_min >= 0 && x_max <= image.width && y_max <= image.height;
}

describe('boxes', () => {
  test('a box drawn in any direction has its corners in order, within the image', () => {
    expect(boxBetween({ x: 90.4, y: 700 }, { x: 10.6, y: 20 }, image)).toEqual({
      x_min: 11,
      y_min: 20,
      x_max: 90,
      y_max: 480,
    });
  });

  test('a box that is moved keeps its size and stays within the image', () => {
    fc.assert(
      fc.property(someBox, point, (box, by) => {
        const moved = moveBox(box, by, image);
        expect(isWithin(moved)).toBe(true);
        expect([moved.x_max - moved.x_min, moved.y_max - moved.y_min]).toEqual([
          box.x_max - box.x_min,
          box.y_max - box.y_min,
        ]);
      }),
    );
  });

  test('a box resized by any handle stays valid, and its opposite side stays in place', () => {
    fc.assert(
      fc.property(someBox, fc.constantFrom(...handles), point, (box, handle, to) => {
        const pulled = resizeBox(box, handle, to, image);
        expect(isWithin(pulled) && isLargeEnough(pulled)).toBe(true);
        if (!handle.includes('w')) expect(pulled.x_min).toBe(box.x_min);
        if (!handle.includes('s')) expect(pulled.y_max).toBe(box.y_max);
      }),
    );
  });

  test('typed numbers become a valid box', () => {
    fc.assert(
      fc.property(number, number, number, number, (x_min, y_min, x_max, y_max) => {
        const corrected = correctBox({ x_min, y_min, x_max, y_max }, image);
        expect(isWithin(corrected) && isLargeEnough(corrected)).toBe(true);
      }),
    );
  });

  test('a click selects the smallest box at a point', () => {
    const large = { box: { x_min: 0, y_min: 0, x_max: 100, y_max: 100 } };
    const small = { box: { x_min: 40, y_min: 40, x_max: 60, y_max: 60 } };
    expect(smallestAt({ x: 50, y: 50 }, [large, small])).toBe(small);
    expect(smallestAt({ x: 5, y: 5 }, [small, large])).toBe(large);
    expect(smallestAt({ x: 500, y: 5 }, [small, large])).toBeNull();
  });

  test('the overlap of a box is 1 with itself, and 0 with a box apart', () => {
    const box = { x_min: 0, y_min: 0, x_max: 10, y_max: 10 };
    expect(overlap(box, box)).toBe(1);
    expect(overlap(box, { ...box, x_min: 10, x_max: 20 })).toBe(0);
    expect(overlap(box, { ...box, x_min: 5, x_max: 15 })).toBeCloseTo(1 / 3);
  });
});
