import { describe, expect, test } from 'vitest';
import { isPlain } from './stroke-cells.js';
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
