import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findComponents } from './components.js';
import { minAreaRectangle } from './min-area-rectangle.js';
import { cornersOf, turnStrip } from './strip.js';
import { findTextRegions } from './text-regions.js';

/** A map drawn with letters: `#` is certain, `.` is none. */
function drawn(...rows: string[]) {
  const data = Uint8Array.from(rows.join(''), (mark) => (mark === '#' ? 255 : 0));
  return { data, width: rows[0]?.length ?? 0, height: rows.length };
}

/** A map in which a turned bar is certain. */
function bar(size: number, angleRad: number, length: number, thickness: number) {
  const data = new Uint8Array(size * size);
  const [cos, sin] = [Math.cos(angleRad), Math.sin(angleRad)];
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const [dx, dy] = [x + 0.5 - size / 2, y + 0.5 - size / 2];
      const inside =
        Math.abs(dx * cos + dy * sin) <= length / 2 && Math.abs(dy * cos - dx * sin) <= thickness / 2;
      if (inside) data[y * size + x] = 250;
    }
  }
  return { data, width: size, height: size };
}

describe('components', () => {
  test('pixels that touch at a corner belong together, others do not', () => {
    expect(findComponents(drawn('#..#', '.#..', '#..#'), 128)).toHaveLength(3);
    expect(findComponents(drawn('#.#', '#.#', '###'), 128)).toHaveLength(1);
    expect(findComponents(drawn('....', '....'), 128)).toEqual([]);
    expect(findComponents(drawn('###', '...', '###'), 128)).toHaveLength(2);
  });

  test('are those that flooding finds, whatever the map', () => {
    const maps = fc
      .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
      .chain(([width, height]) =>
        fc
          .array(fc.boolean(), { minLength: width * height, maxLength: width * height })
          .map((bits) => ({ width, height, data: Uint8Array.from(bits, (bit) => (bit ? 255 : 0)) })),
      );
    fc.assert(
      fc.property(maps, (map) => {
        const components = findComponents(map, 128);
        const pixels = components.map((runs) =>
          runs
            .flatMap(({ y, start, end }) =>
              Array.from({ length: end - start + 1 }, (_, at) => y * map.width + start + at),
            )
            .sort((a, b) => a - b)
            .join(' '),
        );
        expect(pixels.sort()).toEqual(flood(map).sort());
      }),
    );
  });
});

function flood({ data, width, height }: { data: Uint8Array; width: number; height: number }): string[] {
  const seen = new Set<number>();
  return [...data.keys()].flatMap((first) => {
    if (!data[first] || seen.has(first)) return [];
    const found = [first];
    seen.add(first);
    for (const at of found) {
      for (const dy of [-1, 0, 1]) {
        for (const dx of [-1, 0, 1]) {
          const [x, y] = [(at % width) + dx, Math.floor(at / width) + dy];
          const next = y * width + x;
          if (x < 0 || y < 0 || x >= width || y >= height || !data[next] || seen.has(next)) continue;
          seen.add(next);
          found.push(next);
        }
      }
    }
    return [found.sort((a, b) => a - b).join(' ')];
  });
}

test('the rectangle of least area around a turned rectangle is that rectangle', () => {
  const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  fc.assert(
    fc.property(
      number(-500, 500),
      number(-500, 500),
      number(3, 300),
      number(3, 300),
      number(-0.78, 0.78),
      (x, y, width, height, angleRad) => {
        const strip = { centre: { x, y }, width, height, angleRad };
        const found = minAreaRectangle(cornersOf(strip));
        expect(found?.centre.x).toBeCloseTo(x, 4);
        expect(found?.centre.y).toBeCloseTo(y, 4);
        expect((found?.width ?? 0) * (found?.height ?? 0)).toBeCloseTo(width * height, 2);
        expect(found?.angleRad).toBeCloseTo(angleRad, 4);
      },
    ),
  );
});

test('a strip turned by four quarters is itself, by one its sides change places', () => {
  const strip = { centre: { x: 5, y: 7 }, width: 40, height: 10, angleRad: 0 };
  const [upperLeft, upperRight] = cornersOf(turnStrip(strip, 1));
  expect(upperLeft.x).toBeCloseTo(25);
  expect(upperLeft.y).toBeCloseTo(2);
  expect(upperRight.x).toBeCloseTo(25);
  expect(upperRight.y).toBeCloseTo(12);
  expect(cornersOf(turnStrip(strip, 4))[0].x).toBeCloseTo(cornersOf(strip)[0].x);
});

describe('text regions', () => {
  test.each([0, 0.2, -0.5, 0.75])('a bar turned by %f is one region, grown, turned alike', (angleRad) => {
    const [region, ...others] = findTextRegions(bar(200, angleRad, 120, 12));
    expect(others).toEqual([]);
    // Growth on each side is 1.5 x area / perimeter of what was found: about 8 pixels here.
    expect(region?.strip.width).toBeGreaterThan(130);
    expect(region?.strip.width).toBeLessThan(142);
    expect(region?.strip.height).toBeGreaterThan(24);
    expect(region?.strip.height).toBeLessThan(32);
    expect(region?.strip.angleRad).toBeCloseTo(angleRad, 1);
    expect(region?.strip.centre.x).toBeCloseTo(100, 0);
    expect(region?.score).toBeGreaterThan(0.8);
  });

  test('specks, and what is not probable enough, are no text', () => {
    expect(findTextRegions(drawn('.....', '.##..', '.##..', '.....'))).toEqual([]);
    const faint = bar(100, 0, 60, 10);
    expect(findTextRegions({ ...faint, data: faint.data.map((value) => value && 130) })).toEqual([]);
  });

  test('any map gives regions of finite size', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 400, maxLength: 400 }), (data) => {
        for (const { strip, score } of findTextRegions({ data, width: 20, height: 20 })) {
          expect(Number.isFinite(strip.centre.x + strip.centre.y + strip.width + strip.height)).toBe(true);
          expect(score).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
