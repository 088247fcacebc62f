import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitView, panBy, toPicture, zoomAt } from './view.js';

const picture = { width: 4000, height: 3000 };
const stage = { width: 800, height: 700 };

describe('the view of a picture', () => {
  test('fits the whole picture in the middle', () => {
    const { scale, x, y } = fitView(picture, stage);
    expect(scale).toBeCloseTo(0.194);
    expect(x).toBeCloseTo(12);
    expect(y).toBeCloseTo((700 - 3000 * 0.194) / 2);
  });

  test('what is under the pointer stays there when one looks nearer, away from the edges', () => {
    const at = { x: 400, y: 350 };
    const before = fitView(picture, stage);
    const after = zoomAt(before, at, 3, picture, stage);
    expect(toPicture(after, at).x).toBeCloseTo(toPicture(before, at).x);
    expect(toPicture(after, at).y).toBeCloseTo(toPicture(before, at).y);
  });

  test('the picture is never lost from sight', () => {
    const step = fc.record({
      x: fc.integer({ min: 0, max: 800 }),
      y: fc.integer({ min: 0, max: 700 }),
      factor: fc.double({ min: 0.1, max: 10, noNaN: true }),
      dx: fc.integer({ min: -5000, max: 5000 }),
      dy: fc.integer({ min: -5000, max: 5000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let view = fitView(picture, stage);
        for (const { x, y, factor, dx, dy } of steps) {
          view = panBy(zoomAt(view, { x, y }, factor, picture, stage), { x: dx, y: dy }, picture, stage);
          expect(view.x).toBeLessThanOrEqual(stage.width / 2);
          expect(view.x + picture.width * view.scale).toBeGreaterThanOrEqual(stage.width / 2);
          expect(view.scale).toBeGreaterThanOrEqual(fitView(picture, stage).scale);
        }
      }),
    );
  });
});
