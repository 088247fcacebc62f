import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseRegions } from './choose-regions.js';
import { readingWidthPx } from './reading-strip.js';
import type { TextRegion } from './text-regions.js';

const stripHeightPx = 48;
const region = (width: number, height: number, score = 0.9): TextRegion => ({
  strip: { centre: { x: 0, y: 0 }, width, height, angleRad: 0 },
  score,
  seenHeightPx: Math.min(width, height),
});

describe('the regions that are read of a page with too much text', () => {
  test('never exceed the limits, however many and however long the lines are', () => {
    const side = fc.oneof(
      fc.double({ min: 1e-3, max: 100, noNaN: true }),
      fc.double({ min: 1, max: 50_000, noNaN: true }),
    );
    const regions = fc.array(fc.tuple(side, side, fc.double({ min: 0, max: 1, noNaN: true })));
    fc.assert(
      fc.property(regions, fc.nat(30), fc.nat(20_000), (sides, maxLines, maxWidthPx) => {
        const found = sides.map(([width, height, score]) => region(width, height, score));
        const chosen = chooseRegions(found, { maxLines, maxWidthPx, stripHeightPx });
        const widths = chosen.map((one) => readingWidthPx(one, stripHeightPx));
        expect(chosen.length).toBeLessThanOrEqual(maxLines);
        expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(maxWidthPx);
      }),
    );
  });

  test('are the large and certain ones first', () => {
    const [headline, line, doubtful] = [region(900, 80), region(600, 30), region(600, 40, 0.6)];
    const limits = { maxLines: 2, maxWidthPx: 10_000, stripHeightPx };
    expect(chooseRegions([doubtful, line, headline], limits)).toEqual([headline, line]);
  });

  test('are words before large uncertain blocks of lines', () => {
    const [word, block] = [region(70, 30, 0.93), region(3000, 134, 0.66)];
    const limits = { maxLines: 1, maxWidthPx: 10_000, stripHeightPx };
    expect(chooseRegions([block, word], limits)).toEqual([word]);
  });

  test('are shorter lines where a long one no longer fits', () => {
    const [long, short] = [region(3000, 40), region(300, 30)];
    expect(chooseRegions([long, short], { maxLines: 9, maxWidthPx: 1000, stripHeightPx })).toEqual([short]);
  });

  test('count a vertical line by its length', () => {
    const [lying, standing] = [region(800, 40), region(40, 800)];
    expect(readingWidthPx(standing, stripHeightPx)).toBe(readingWidthPx(lying, stripHeightPx));
  });
});
