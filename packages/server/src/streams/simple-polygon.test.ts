import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSimplePolygon } from './simple-polygon.js';

test.each<[string, [number, number][], boolean]>([
  [
    'a square',
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ],
    true,
  ],
  [
    'a square the other way round',
    [
      [0, 0],
      [0, 1],
      [1, 1],
      [1, 0],
    ],
    true,
  ],
  [
    'a closed ring',
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
    true,
  ],
  [
    'an arrow',
    [
      [0, 0],
      [1, 0.5],
      [0, 1],
      [0.5, 0.5],
    ],
    true,
  ],
  [
    'a bow tie',
    [
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
    ],
    false,
  ],
  [
    'a line',
    [
      [0, 0],
      [0.5, 0.5],
      [1, 1],
    ],
    false,
  ],
  [
    'a point',
    [
      [0.5, 0.5],
      [0.5, 0.5],
      [0.5, 0.5],
    ],
    false,
  ],
  [
    'corners that touch an edge',
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0.5, 0],
      [0, 1],
    ],
    false,
  ],
])('%s', (_, polygon, isSimple) => {
  expect(isSimplePolygon(polygon)).toBe(isSimple);
});

test('corners in the order of their angle around a middle make a simple polygon, two of them exchanged no other shape than a simple or crossing one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 5, max: 64 }),
      fc.double({ min: 0.05, max: 0.5, noNaN: true }),
      (count, radius) => {
        const corners = Array.from({ length: count }, (_, at): [number, number] => {
          const angle = (at / count) * 2 * Math.PI;
          return [0.5 + radius * Math.cos(angle), 0.5 + radius * Math.sin(angle)];
        });
        expect(isSimplePolygon(corners)).toBe(true);
        const [first, second, ...rest] = corners;
        if (first && second) expect(isSimplePolygon([second, first, ...rest])).toBe(false);
      },
    ),
  );
});
