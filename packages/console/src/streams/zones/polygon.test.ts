import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  areaOf,
  boundsOf,
  contains,
  insertCorner,
  isSimple,
  maxCorners,
  middleOfEdge,
  moveCorner,
  movePolygon,
  type Polygon,
  removeCorner,
  startPolygon,
} from './polygon.js';

const square: Polygon = [
  [0.2, 0.2],
  [0.6, 0.2],
  [0.6, 0.6],
  [0.2, 0.6],
];
const far = fc.double({ min: -3, max: 3, noNaN: true });
const place = fc.tuple(far, far);
const side = fc.double({ min: 0, max: 1, noNaN: true });
const somePolygon = fc.array(fc.tuple(side, side), { minLength: 3, maxLength: 12 });
const isWithin = (polygon: Polygon) => polygon.flat().every((value) => value >= 0 && value <= 1);

describe('corners', () => {
  test('a moved corner stays within the image, and the others stay in place', () => {
    fc.assert(
      fc.property(somePolygon, fc.nat(11), place, (polygon, wanted, to) => {
        const index = wanted % polygon.length;
        const moved = moveCorner(polygon, index, to);
        expect(isWithin(moved)).toBe(true);
        expect(moved.toSpliced(index, 1)).toEqual(polygon.toSpliced(index, 1));
      }),
    );
  });

  test('an added corner is in the middle of its edge, and removing it gives the same polygon', () => {
    const more = insertCorner(square, 3);
    expect(more[4]).toEqual([0.2, 0.4]);
    expect(middleOfEdge(square, 0)).toEqual([0.4, 0.2]);
    expect(removeCorner(more, 4)).toEqual(square);
    expect(areaOf(more)).toBeCloseTo(areaOf(square));
  });

  test('there are never fewer than three, nor more than the service takes', () => {
    let polygon = square;
    for (let count = 0; count < 100; count += 1) polygon = insertCorner(polygon, count % polygon.length);
    expect(polygon.length).toBe(maxCorners);
    for (let count = 0; count < 100; count += 1) polygon = removeCorner(polygon, 0);
    expect(polygon.length).toBe(3);
  });
});

describe('polygons', () => {
  test('one that is moved keeps its size, and stays within the image', () => {
    fc.assert(
      fc.property(somePolygon, place, (polygon, by) => {
        const moved = movePolygon(polygon, by);
        expect(isWithin(moved)).toBe(true);
        const sizeOf = (each: Polygon) => {
          const [left, top, right, bottom] = boundsOf(each);
          return [right - left, bottom - top] as const;
        };
        expect(sizeOf(moved)[0]).toBeCloseTo(sizeOf(polygon)[0], 3);
        expect(sizeOf(moved)[1]).toBeCloseTo(sizeOf(polygon)[1], 3);
      }),
    );
  });

  test('those whose edges cross or touch, and those without an area, are not simple', () => {
    const [a = [0, 0], b = [0, 0], c = [0, 0], d = [0, 0]] = square;
    expect(isSimple(square)).toBe(true);
    expect(isSimple([a, c, b, d])).toBe(false);
    expect(isSimple([a, b, [0.4, 0.2]])).toBe(false);
    expect(isSimple([a, b, c, [0.4, 0.2], d])).toBe(false);
    // A corner may be repeated.
    expect(isSimple([a, a, b, c, d])).toBe(true);
  });

  test('the first shape of each is simple', () => {
    for (let count = 0; count < 40; count += 1) {
      expect(isSimple(startPolygon(count)) && isWithin(startPolygon(count))).toBe(true);
    }
  });

  test('a point is inside by the edges, not by the bounds', () => {
    const arrow: Polygon = [
      [0, 0],
      [1, 0],
      [0.5, 0.2],
      [0.5, 1],
    ];
    expect(contains(square, [0.4, 0.4])).toBe(true);
    expect(contains(square, [0.7, 0.4])).toBe(false);
    expect(contains(arrow, [0.45, 0.5])).toBe(true);
    expect(contains(arrow, [0.9, 0.8])).toBe(false);
  });
});
