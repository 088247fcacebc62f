import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitView, panBy, toImage, zoomAt } from './view.js';

const image = { width: 4000, height: 3000 };
const stage = { width: 800, height: 700 };

describe('the view of an image', () => {
  test('fits and centres the whole image', () => {
    const { scale, x, y } = fitView(image, stage);
    expect(scale).toBeCloseTo(0.194);
    expect(x).toBeCloseTo(12);
    expect(y).toBeCloseTo((700 - 3000 * 0.194) / 2);
  });

  test('zooms around the pointer, away from the edges', () => {
    const at = { x: 400, y: 350 };
    const before = fitView(image, stage);
    const after = zoomAt(before, at, 3, image, stage);
    expect(toImage(after, at).x).toBeCloseTo(toImage(before, at).x);
    expect(toImage(after, at).y).toBeCloseTo(toImage(before, at).y);
  });

  test('keeps the image in sight', () => {
    const step = fc.record({
      x: fc.integer({ min: 0, max: 800 }),
      y: fc.integer({ min: 0, max: 700 }),
      factor: fc.double({ min: 0.1, max: 10, noNaN: true }),
      dx: fc.integer({ min: -5000, max: 5000 }),
      dy: fc.integer({ min: -5000, max: 5000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let view = fitView(image, stage);
        for (const { x, y, factor, dx, dy } of steps) {
          view = panBy(zoomAt(view, { x, y }, factor, image, stage), { x: dx, y: dy }, image, stage);
          expect(view.x).toBeLessThanOrEqual(stage.width / 2);
          expect(view.x + image.width * view.scale).toBeGreaterThanOrEqual(stage.width / 2);
          expect(view.scale).toBeGreaterThanOrEqual(fitView(image, stage).scale);
        }
      }),
    );
  });
});
