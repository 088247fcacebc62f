import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applySimilarity, fitSimilarity } from './similarity.js';

const coordinate = fc.double({ min: -4000, max: 4000, noNaN: true });
const point = fc.record({ x: coordinate, y: coordinate });

test('a pattern that was rotated, scaled and moved is recovered exactly', () => {
  const motion = fc.record({
    angle: fc.double({ min: -Math.PI, max: Math.PI, noNaN: true }),
    scale: fc.double({ min: 0.05, max: 20, noNaN: true }),
    dx: coordinate,
    dy: coordinate,
  });
  fc.assert(
    fc.property(fc.array(point, { minLength: 2, maxLength: 8 }), motion, (from, { angle, scale, dx, dy }) => {
      const [first, second] = from;
      fc.pre(first !== undefined && second !== undefined);
      fc.pre(Math.hypot(first.x - second.x, first.y - second.y) > 1);
      const truth = { a: scale * Math.cos(angle), b: scale * Math.sin(angle), dx, dy };
      const found = fitSimilarity(
        from,
        from.map((source) => applySimilarity(truth, source)),
      );
      for (const source of from) {
        const [expected, got] = [applySimilarity(truth, source), applySimilarity(found, source)];
        expect(Math.hypot(expected.x - got.x, expected.y - got.y)).toBeLessThan(1e-3);
      }
    }),
  );
});

test('no small change of the fit comes nearer to points that fit no similarity', () => {
  const triangle = fc.tuple(point, point, point);
  fc.assert(
    fc.property(triangle, triangle, (from, to) => {
      const fit = fitSimilarity(from, to);
      const error = (candidate: typeof fit) =>
        from.reduce((sum, source, index) => {
          const { x, y } = applySimilarity(candidate, source);
          return sum + (x - (to[index]?.x ?? 0)) ** 2 + (y - (to[index]?.y ?? 0)) ** 2;
        }, 0);
      const least = error(fit);
      for (const change of [0.01, -0.01]) {
        expect(error({ ...fit, a: fit.a + change })).toBeGreaterThanOrEqual(least * (1 - 1e-9) - 1e-6);
        expect(error({ ...fit, b: fit.b + change })).toBeGreaterThanOrEqual(least * (1 - 1e-9) - 1e-6);
        expect(error({ ...fit, dx: fit.dx + change })).toBeGreaterThanOrEqual(least * (1 - 1e-9) - 1e-6);
      }
    }),
  );
});

test('coincident points give a fit without meaningless numbers', () => {
  const same = Array.from({ length: 5 }, () => ({ x: 7, y: 9 }));
  expect(Object.values(fitSimilarity(same, same)).every(Number.isFinite)).toBe(true);
});
