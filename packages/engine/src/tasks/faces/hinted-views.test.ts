import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Box, clipBox } from '../../image/box.js';
import { pointIn } from './frame.js';
import { hintedViews } from './hinted-views.js';

const size = fc.record({
  width: fc.integer({ min: 32, max: 6000 }),
  height: fc.integer({ min: 32, max: 6000 }),
});
const place = fc.record({
  x: fc.double({ min: 0, max: 1, noNaN: true }),
  y: fc.double({ min: 0, max: 1, noNaN: true }),
  side: fc.integer({ min: 2, max: 60 }),
});

function boxesOf(image: { width: number; height: number }, hints: readonly Box[], scale: number): Box[] {
  return hintedViews(image, hints, 32, scale).map(({ frame }) => {
    const [from, to] = [pointIn(frame, 0, 0), pointIn(frame, 1, 1)];
    return { xMin: from.x, yMin: from.y, xMax: to.x, yMax: to.y };
  });
}

test('every hint is whole in a view, with as much around it as half its size, as far as the image has that', () => {
  fc.assert(
    fc.property(
      size,
      fc.array(place, { maxLength: 40 }),
      fc.constantFrom(0.5, 1, 2),
      (image, places, scale) => {
        const hints = places.map(({ x, y, side }): Box => {
          const [xMin, yMin] = [x * (image.width - 1), y * (image.height - 1)];
          return { xMin, yMin, xMax: xMin + side / scale, yMax: yMin + side / scale };
        });
        const views = boxesOf(image, hints, scale);
        if (hints.length === 0) expect(views).toEqual([]);
        for (const { xMin, yMin, xMax, yMax } of views) {
          expect(Math.min(xMin, yMin)).toBeGreaterThan(-1e-6);
          expect(xMax).toBeLessThan(image.width + 1e-6);
          expect(yMax).toBeLessThan(image.height + 1e-6);
        }
        for (const hint of hints) {
          // Of a hint across the seam of two large views each has the half and the margin.
          const least = Math.min(32 / scale, (hint.xMax - hint.xMin) / 2);
          const centre = { x: (hint.xMin + hint.xMax) / 2, y: (hint.yMin + hint.yMax) / 2 };
          const around = {
            xMin: centre.x - least,
            yMin: centre.y - least,
            xMax: centre.x + least,
            yMax: centre.y + least,
          };
          const { xMin, yMin, xMax, yMax } = clipBox(around, image.width, image.height);
          const isSeen = views.some(
            (view) =>
              view.xMin <= xMin + 1e-6 &&
              view.yMin <= yMin + 1e-6 &&
              view.xMax >= xMax - 1e-6 &&
              view.yMax >= yMax - 1e-6,
          );
          expect(isSeen).toBe(true);
        }
      },
    ),
  );
});

test('one hint costs a small view, and many together none larger than the windows of the whole image', () => {
  const image = { width: 4000, height: 3000 };
  const [one, ...others] = hintedViews(image, [{ xMin: 1000, yMin: 1000, xMax: 1016, yMax: 1016 }], 32, 1);
  expect(others).toEqual([]);
  expect((one?.width ?? 0) * (one?.height ?? 0)).toBeLessThan(200 * 200);
  const all = hintedViews(image, [{ xMin: 0, yMin: 0, xMax: 4000, yMax: 3000 }], 32, 1);
  for (const { width, height } of all) expect(width <= 1280 && height <= 960).toBe(true);
});
