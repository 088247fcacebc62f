import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Point } from './box.js';
import { type Canvas, type Colour, paintMask, strokeBox, strokePolygon } from './paint.js';

const red: Colour = [255, 0, 0];
const blank = (width = 40, height = 30): Canvas => ({
  data: new Uint8Array(width * height * 3),
  width,
  height,
});
const redAt = ({ data, width }: Canvas, x: number, y: number) => data[3 * (y * width + x)] ?? 0;
const painted = (canvas: Canvas) => canvas.data.filter((level) => level > 0).length;

describe('a box', () => {
  test('is four sides inside of its own edges', () => {
    const canvas = blank();
    strokeBox(canvas, { xMin: 5, yMin: 6, xMax: 25, yMax: 16 }, 2, red);
    const isWithin = (margin: number, x: number, y: number) =>
      x >= 5 + margin && x < 25 - margin && y >= 6 + margin && y < 16 - margin;
    const expected = Array.from({ length: 40 * 30 }, (_, at) => {
      const [x, y] = [at % 40, Math.floor(at / 40)];
      return isWithin(0, x, y) && !isWithin(2, x, y) ? 255 : 0;
    });
    expect([...canvas.data.filter((_, at) => at % 3 === 0)]).toEqual(expected);
  });

  test('that reaches out of the image has its sides at the edge, and one of no size is a dot', () => {
    const canvas = blank();
    strokeBox(canvas, { xMin: -50, yMin: -50, xMax: 900, yMax: 900 }, 2, red);
    expect([redAt(canvas, 0, 15), redAt(canvas, 39, 15), redAt(canvas, 20, 29)]).toEqual([255, 255, 255]);
    expect(redAt(canvas, 20, 15)).toBe(0);
    const dotted = blank();
    strokeBox(dotted, { xMin: 20, yMin: 20, xMax: 20, yMax: 20 }, 2, red);
    expect(painted(dotted)).toBe(1);
  });
});

describe('a polygon', () => {
  test('is a closed smooth line, as wide as asked for, with half of it outside', () => {
    const canvas = blank();
    const square: Point[] = [
      { x: 10, y: 10 },
      { x: 30, y: 10 },
      { x: 30, y: 20 },
      { x: 10, y: 20 },
    ];
    strokePolygon(canvas, square, 4, red);
    const column = (x: number) => Array.from({ length: 16 }, (_, y) => redAt(canvas, x, y));
    expect(column(20)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0]);
    expect(redAt(canvas, 9, 15)).toBe(255);
    expect(redAt(canvas, 20, 15)).toBe(0);

    const slanted = blank();
    strokePolygon(
      slanted,
      [
        { x: 3, y: 4 },
        { x: 37, y: 22 },
      ],
      3,
      red,
    );
    const levels = new Set(slanted.data.filter((level) => level > 0));
    expect(levels.size).toBeGreaterThan(10);
  });

  test('covers exactly the pixels near its sides', () => {
    const inside = fc.record({
      x: fc.double({ min: -20, max: 60, noNaN: true }),
      y: fc.double({ min: -20, max: 50, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(inside, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        (polygon, strokePx) => {
          const canvas = blank();
          strokePolygon(canvas, polygon, strokePx, red);
          const wrong: string[] = [];
          for (let at = 0; at < 40 * 30; at += 1) {
            const [x, y] = [at % 40, Math.floor(at / 40)];
            const outside = distanceTo(polygon, { x: x + 0.5, y: y + 0.5 }) - strokePx / 2;
            const red = redAt(canvas, x, y);
            if ((outside < -0.51 && red < 255) || (outside > 0.51 && red > 0)) wrong.push(`${x},${y}`);
          }
          expect(wrong).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

test('points that are far away or no numbers paint nothing, and take no time', () => {
  const { NaN: none, POSITIVE_INFINITY: endless } = Number;
  const far = { x: 1e300, y: -1e300 };
  for (const odd of [{ x: none, y: 5 }, { x: 5, y: endless }, far]) {
    const canvas = blank();
    strokePolygon(canvas, [odd, far], 3, red);
    strokeBox(canvas, { xMin: none, yMin: 0, xMax: 9, yMax: 9 }, 3, red);
    expect(painted(canvas)).toBe(0);
  }
  // A line that only passes through.
  const canvas = blank();
  strokePolygon(
    canvas,
    [
      { x: -1e9, y: 15 },
      { x: 1e9, y: 15 },
    ],
    2,
    red,
  );
  expect(painted(canvas)).toBe(80);
});

test('a mask is painted in two colours, and cut at the edges', () => {
  const canvas = blank();
  const mask = { data: new Uint8Array([0, 255, 128, 0, 0, 0]), width: 3, height: 2 };
  paintMask(canvas, mask, { x: 38, y: 29 }, { ink: [200, 100, 0], paper: [10, 20, 30] });
  expect([...canvas.data.subarray(-6)]).toEqual([10, 20, 30, 200, 100, 0]);
  expect(painted(canvas)).toBe(5);
});

function distanceTo(polygon: readonly Point[], { x, y }: Point): number {
  const distances = polygon.map((from, index) => {
    const to = polygon[(index + 1) % polygon.length] ?? from;
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const squared = dx * dx + dy * dy;
    const along =
      squared > 0 ? Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / squared)) : 0;
    return Math.hypot(x - from.x - along * dx, y - from.y - along * dy);
  });
  return Math.min(...distances);
}
