import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boxAt } from './fixtures/boxes.js';
import { footOf, isInPolygon, isMasked, outside, stepZone, type Zone } from './zones.js';

const square = [
  { x: 0.25, y: 0.25 },
  { x: 0.75, y: 0.25 },
  { x: 0.75, y: 0.75 },
  { x: 0.25, y: 0.75 },
];
const horseshoe = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0.7, y: 1 },
  { x: 0.7, y: 0.3 },
  { x: 0.3, y: 0.3 },
  { x: 0.3, y: 1 },
  { x: 0, y: 1 },
];

test('points on edges and corners are in, whatever corner comes first and in either direction', () => {
  const onEdges = [
    { x: 0.25, y: 0.25 },
    { x: 0.5, y: 0.25 },
    { x: 0.75, y: 0.6 },
    { x: 0.3, y: 0.75 },
    { x: 0.25, y: 0.7 },
  ];
  for (let first = 0; first < square.length; first++) {
    const turned = [...square.slice(first), ...square.slice(0, first)];
    for (const corners of [turned, [...turned].reverse()]) {
      for (const point of onEdges) expect(isInPolygon(point, corners)).toBe(true);
      expect(isInPolygon({ x: 0.5, y: 0.5 }, corners)).toBe(true);
      expect(isInPolygon({ x: 0.1, y: 0.25 }, corners)).toBe(false);
      expect(isInPolygon({ x: 0.5, y: 0.76 }, corners)).toBe(false);
    }
  }
});

test('the opening of a horseshoe is out', () => {
  expect(isInPolygon({ x: 0.5, y: 0.8 }, horseshoe)).toBe(false);
  expect(isInPolygon({ x: 0.1, y: 0.8 }, horseshoe)).toBe(true);
  expect(isInPolygon({ x: 0.5, y: 0.3 }, horseshoe)).toBe(true);
});

test('polygons without an area contain nothing beside their edges', () => {
  expect(isInPolygon({ x: 0.5, y: 0.5 }, [])).toBe(false);
  expect(isInPolygon({ x: 0.5, y: 0.5 }, square.slice(0, 2))).toBe(false);
  expect(
    isInPolygon(
      { x: 0.5, y: 0.51 },
      [square[0], square[1], square[0]].flatMap((each) => each ?? []),
    ),
  ).toBe(false);
});

test('in a convex polygon are exactly the points that no edge separates from its middle', () => {
  const random = fc.record({ x: fc.integer({ min: 0, max: 20 }), y: fc.integer({ min: 0, max: 20 }) });
  fc.assert(
    fc.property(random, fc.integer({ min: 3, max: 9 }), (lattice, count) => {
      const corners = Array.from({ length: count }, (_, index) => ({
        x: 0.5 + 0.4 * Math.cos((2 * Math.PI * index) / count),
        y: 0.5 + 0.4 * Math.sin((2 * Math.PI * index) / count),
      }));
      const point = { x: lattice.x / 20, y: lattice.y / 20 };
      const sides = corners.map((a, index) => {
        const b = corners[(index + 1) % count] ?? a;
        return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
      });
      if (sides.some((side) => Math.abs(side) < 1e-9)) return;
      expect(isInPolygon(point, corners)).toBe(sides.every((side) => side > 0));
    }),
  );
});

test('an object stands where the middle of its lower edge is, in the image', () => {
  expect(footOf(boxAt(320, 100, 40, 80), 640, 280)).toEqual({ x: 0.5, y: 0.5 });
  expect(footOf(boxAt(-50, 300, 40, 80), 640, 280)).toEqual({ x: 0, y: 1 });
  expect(footOf(boxAt(320, 100, 40, 80), 0, 0)).toEqual({ x: 0, y: 0 });
});

test('a zone is entered and left after as many frames in a row as it is set to', () => {
  const zone: Zone = { name: 'yard', points: square, inertiaFrames: 3 };
  const inside = { foot: { x: 0.5, y: 0.5 }, title: 'person' };
  const beside = { foot: { x: 0.1, y: 0.5 }, title: 'person' };
  let state = outside;
  const states = [
    inside,
    inside,
    beside,
    inside,
    inside,
    inside,
    beside,
    beside,
    inside,
    beside,
    beside,
    beside,
  ].map((seen) => {
    state = stepZone(state, zone, seen);
    return state.isInside;
  });
  expect(states).toEqual([false, false, false, false, false, true, true, true, true, true, true, false]);
});

test('a zone for cars is entered by cars, and a mask for people hides people', () => {
  const foot = { x: 0.5, y: 0.5 };
  const zone: Zone = { name: 'yard', points: square, classes: ['car'], inertiaFrames: 1 };
  expect(stepZone(outside, zone, { foot, title: 'car' }).isInside).toBe(true);
  expect(stepZone(outside, zone, { foot, title: 'person' }).isInside).toBe(false);
  expect(isMasked(foot, 'person', [{ points: square, classes: ['person'] }])).toBe(true);
  expect(isMasked(foot, 'car', [{ points: square, classes: ['person'] }])).toBe(false);
  expect(isMasked(foot, 'car', [{ points: square }])).toBe(true);
});
