import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fineSize, scanSize } from './find-text.js';
import { joinScales } from './join-scales.js';

import type { TextRegion } from './text-regions.js';
import { layTiles } from './tiles.js';

const side = fc.oneof(fc.integer({ min: 1, max: 9000 }), fc.integer({ min: 1, max: 50_000_000 }));

describe('the size of the first pass', () => {
  test('is at most the area of 960x736, and in multiples', () => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        const size = scanSize({ width, height }, 32, 608);
        expect(size.width % 32).toBe(0);
        expect(size.height % 32).toBe(0);
        expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(32);
        expect(size.width * size.height).toBeLessThan(1.4 * 960 * 736);
        const finer = fineSize({ width, height }, size, 32);
        expect((finer?.width ?? 0) * (finer?.height ?? 0)).toBeLessThan(6.1 * size.width * size.height);
      }),
    );
  });

  test('enlarges small photographs and reduces large ones', () => {
    expect(scanSize({ width: 640, height: 480 }, 32, 480)).toEqual({ width: 640, height: 480 });
    expect(scanSize({ width: 640, height: 480 }, 32, 608)).toEqual({ width: 800, height: 608 });
    expect(scanSize({ width: 4000, height: 3000 }, 32, 608)).toEqual({ width: 960, height: 736 });
    expect(scanSize({ width: 100, height: 50 }, 32, 608)).toEqual({ width: 288, height: 160 });
    expect(scanSize({ width: 2400, height: 200 }, 32, 480)).toEqual({ width: 2912, height: 256 });
  });
});

describe('the second pass', () => {
  test('is skipped where the first one had nearly full resolution', () => {
    const coarse = { width: 960, height: 736 };
    expect(fineSize({ width: 640, height: 480 }, coarse, 32)).toBeNull();
    expect(fineSize({ width: 1000, height: 700 }, coarse, 32)).toBeNull();
    expect(fineSize({ width: 1600, height: 1200 }, coarse, 32)).toEqual({ width: 1600, height: 1216 });
    expect(fineSize({ width: 4000, height: 3000 }, coarse, 32)).toEqual({ width: 1952, height: 1472 });
    expect(fineSize({ width: 50_000_000, height: 1 }, { width: 22_080, height: 32 }, 32)).toBeNull();
  });

  test('has tiles whose inner parts cover the map exactly once, and lie in them', () => {
    const sides = fc.integer({ min: 1, max: 100 }).map((units) => units * 32);
    fc.assert(
      fc.property(sides, sides, (width, height) => {
        const tiles = layTiles({ width, height }, 32);
        const area = tiles.reduce(
          (sum, { inner }) => sum + (inner.right - inner.left) * (inner.bottom - inner.top),
          0,
        );
        expect(area).toBe(width * height);
        for (const { left, top, width: across, height: down, inner } of tiles) {
          expect(across % 32).toBe(0);
          expect(down % 32).toBe(0);
          expect(left).toBeGreaterThanOrEqual(0);
          expect(left + across).toBeLessThanOrEqual(width);
          expect(top + down).toBeLessThanOrEqual(height);
          expect(inner.left).toBeGreaterThanOrEqual(left);
          expect(inner.right).toBeLessThanOrEqual(left + across);
          expect(inner.top).toBeGreaterThanOrEqual(top);
          expect(inner.bottom).toBeLessThanOrEqual(top + down);
        }
      }),
    );
  });
});

describe('the result of both passes', () => {
  const region = (x: number, y: number, width: number, height: number, seenHeightPx: number): TextRegion => ({
    strip: { centre: { x, y }, width, height, angleRad: 0 },
    score: 0.9,
    seenHeightPx,
  });

  test('has each text once: large letters from the first pass, small ones from the second', () => {
    const headline = region(1000, 200, 1600, 120, 29);
    const partOfHeadline = region(700, 205, 500, 90, 44);
    const blurred = region(500, 800, 400, 40, 9);
    const sharp = region(505, 802, 380, 24, 12);
    expect(joinScales([headline, blurred], [partOfHeadline, sharp])).toEqual([headline, sharp]);
  });

  test('has lines, where the first pass merged several', () => {
    const block = region(500, 500, 300, 80, 19);
    const rows = [470, 500, 530].map((y) => region(500, y, 280, 22, 11));
    expect(joinScales([block], rows)).toEqual(rows);
  });

  test('has text that only one of them found', () => {
    const first = region(500, 300, 400, 40, 9);
    const second = region(500, 900, 400, 24, 12);
    expect(joinScales([first], [second])).toEqual([second, first]);
  });
});
