import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pointIn } from './frame.js';
import { finestScale, fineViews, guideViews, regionViews, wholeSizes, wholeView } from './views.js';

const size = fc.record({
  width: fc.integer({ min: 1, max: 9000 }),
  height: fc.integer({ min: 1, max: 9000 }),
});

test('windows cover the image, stay inside it and are no larger than given', () => {
  fc.assert(
    fc.property(size, fc.constantFrom(0.5, 1, 2), (image, scale) => {
      fc.pre(image.width * image.height <= 50_000_000);
      const views = fineViews(image, 32, scale);
      if (views.length === 0) return;
      const boxes = views.map(({ frame }) => ({ from: pointIn(frame, 0, 0), to: pointIn(frame, 1, 1) }));
      for (const { from, to } of boxes) {
        expect(Math.min(from.x, from.y)).toBeGreaterThan(-1e-6);
        expect(to.x).toBeLessThan(image.width + 1e-6);
        expect(to.y).toBeLessThan(image.height + 1e-6);
      }
      for (const view of views) expect(view.width <= 1312 && view.height <= 992).toBe(true);
      for (const x of [0.01, 0.3, 0.5, 0.77, 0.99]) {
        for (const y of [0.01, 0.4, 0.5, 0.99]) {
          const point = { x: x * image.width, y: y * image.height };
          const seen = boxes.some(
            ({ from, to }) => from.x <= point.x && point.x <= to.x && from.y <= point.y && point.y <= to.y,
          );
          expect(seen).toBe(true);
        }
      }
    }),
  );
});

test('a face of 100 px at a seam lies whole in one of the windows', () => {
  const views = fineViews({ width: 4000, height: 3000 }, 32, 1);
  for (let centre = 50; centre <= 3950; centre += 10) {
    const whole = views.some(({ frame }) => {
      const [from, to] = [pointIn(frame, 0, 0), pointIn(frame, 1, 1)];
      return from.x <= centre - 50 && centre + 50 <= to.x;
    });
    expect(whole).toBe(true);
  }
});

test('a region has one view of its own pixels, inside the image and no larger than given', () => {
  const coordinate = fc.double({ min: -2000, max: 12_000, noNaN: true });
  const region = fc.record({ xMin: coordinate, yMin: coordinate, xMax: coordinate, yMax: coordinate });
  fc.assert(
    fc.property(
      size,
      fc.array(region, { maxLength: 8 }),
      fc.constantFrom(0.5, 1, 2),
      (image, regions, scale) => {
        const views = regionViews(image, regions, 32, scale);
        expect(views.length).toBeLessThanOrEqual(regions.length);
        for (const { frame, width, height } of views) {
          const [from, to] = [pointIn(frame, 0, 0), pointIn(frame, 1, 1)];
          expect([from.x, from.y, to.x, to.y].every((at) => Math.abs(at - Math.round(at)) < 1e-6)).toBe(true);
          expect(Math.min(from.x, from.y)).toBeGreaterThan(-1e-6);
          expect(to.x).toBeLessThan(image.width + 1e-6);
          expect(to.y).toBeLessThan(image.height + 1e-6);
          expect(width % 32 === 0 && height % 32 === 0 && Math.max(width, height) <= 320).toBe(true);
        }
      },
    ),
  );
});

test('a small region is enlarged to look for small faces, and one outside of the image is left out', () => {
  const box = { xMin: 100, yMin: 50, xMax: 180, yMax: 130 };
  const outside = { xMin: 900, yMin: 50, xMax: 980, yMax: 130 };
  const none = { xMin: Number.NaN, yMin: 50, xMax: 180, yMax: 130 };
  const views = regionViews({ width: 640, height: 480 }, [outside, box, none], 32, finestScale(8));
  expect(views).toMatchObject([{ width: 160, height: 160, frame: { centre: { x: 140, y: 90 } } }]);
});

test('a small image needs no windows', () => {
  expect(fineViews({ width: 640, height: 480 }, 32, 1)).toEqual([]);
});

test('for large faces alone the whole view is smaller, and such a face is still large enough to be found', () => {
  const image = { width: 1200, height: 1200 };
  const [all, large] = [16, 64].map((minFacePx) => wholeView(image, 32, finestScale(minFacePx)));
  expect(all?.width).toBe(480);
  expect(large?.width).toBeLessThan(480);
  expect((64 * (large?.width ?? 0)) / image.width).toBeGreaterThanOrEqual(16);
});

test('a small image is enlarged to look for small faces', () => {
  expect(wholeView({ width: 200, height: 150 }, 32, finestScale(16))).toMatchObject({
    width: 640,
    height: 480,
  });
});

test('the sizes of a whole image show as much as the views that are read from them', () => {
  const common = [
    [4032, 3024],
    [4000, 3000],
    [1920, 1080],
    [1080, 1920],
    [4000, 100],
    [50000, 10],
  ].map(([width = 0, height = 0]) => ({ width, height }));
  fc.assert(
    fc.property(fc.oneof(size, fc.constantFrom(...common)), fc.constantFrom(0.5, 1, 1.4), (image, scale) => {
      const guides = guideViews(image, 32, scale);
      const [largest, whole] = wholeSizes(image, 32, scale);
      // The whole view alone, which is about as large.
      if (largest === undefined || whole === undefined) return;
      for (const { frame, width, height } of guides) {
        expect(Math.round((frame.width * largest.width) / image.width)).toBeGreaterThanOrEqual(width);
        expect(Math.round((frame.height * largest.height) / image.height)).toBeGreaterThanOrEqual(height);
      }
    }),
    { examples: common.map((image): [typeof image, number] => [image, 1]) },
  );
  const phone = wholeSizes({ width: 4032, height: 3024 }, 32, 1);
  expect(phone.map(({ width, height }) => [width, height])).toEqual([
    [2047, 1535],
    [640, 480],
  ]);
  expect(wholeSizes({ width: 800, height: 600 }, 32, 1)).toMatchObject([{ width: 640, height: 480 }]);
});
