import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellPx, countStrokes, isPlain } from './stroke-cells.js';
import type { View } from './view.js';

/** A grey view; `greyAt` gives 0 to 255. */
function view(width: number, height: number, greyAt: (x: number, y: number) => number): View {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    return greyAt(pixel % width, Math.floor(pixel / width));
  });
  return { data, width, height };
}

const texture = (x: number, y: number) => ((x * 7919 + y * 104_729) % 97) * 2;

describe('an image whose background shows everything without being enlarged', () => {
  test('is a page with some text, and a smooth one', () => {
    expect(isPlain(view(320, 240, (x, y) => (y < 80 ? texture(x, y) : 255)))).toBe(true);
    expect(isPlain(view(320, 240, (x, y) => (x + y) / 3))).toBe(true);
    expect(isPlain(view(1, 1, () => 0))).toBe(true);
  });

  test('is not one that is texture for the most part', () => {
    expect(isPlain(view(320, 240, texture))).toBe(false);
    expect(isPlain(view(320, 240, (x, y) => (y < 160 ? texture(x, y) : 255)))).toBe(false);
  });
});

test('the energy of a cell is the mean of what exceeds the floor of the Laplacian', () => {
  const side = fc.integer({ min: 1, max: 40 });
  const contrast = fc.constantFrom(3, 97, 256);
  fc.assert(
    fc.property(side, side, fc.constantFrom(0, 24), contrast, (width, height, floor, levels) => {
      const greyAt = (x: number, y: number) => ((x * 7919 + y * 104_729) % 257) % levels;
      const { columns, energies } = countStrokes(view(width, height, greyAt), floor);
      const clamp = (at: number, length: number) => Math.min(length - 1, Math.max(0, at));
      const shown = (x: number, y: number) => greyAt(clamp(x, width), clamp(y, height));
      const expected = Array.from(energies, (_, cell) => {
        const [left, top] = [(cell % columns) * cellPx, Math.floor(cell / columns) * cellPx];
        let [sum, count] = [0, 0];
        for (let y = top; y < Math.min(height, top + cellPx); y += 1) {
          for (let x = left; x < Math.min(width, left + cellPx); x += 1) {
            const around = shown(x - 1, y) + shown(x + 1, y) + shown(x, y - 1) + shown(x, y + 1);
            sum += Math.max(0, Math.min(255, 4 * shown(x, y) - around) - floor);
            count += 1;
          }
        }
        return Math.ceil(sum / count);
      });
      expect([...energies]).toEqual(expected);
    }),
  );
});
