import { beforeAll, describe, expect, test } from 'vitest';
import { measureDirectionalSharpness } from './directional-sharpness.js';
import { alignDrawing } from './fixtures/aligned-drawing.js';
import { lumaOf, qualityThresholds } from './quality.js';

const side = 112;
/** Of the face in the aligned square, in pixels. */
const faceWidth = 100;
const { minDirectionalSharpness } = qualityThresholds;

let luma: Float32Array;
beforeAll(async () => {
  luma = lumaOf(await alignDrawing());
});

/** The mean along a line, as the camera or the head moves. */
function moved(share: number, angleDeg: number): Float32Array {
  const length = Math.round(share * faceWidth);
  const [right, down] = [Math.cos((angleDeg * Math.PI) / 180), Math.sin((angleDeg * Math.PI) / 180)];
  const at = (x: number, y: number) => {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const pixel = (column: number, row: number) =>
      luma[Math.min(side - 1, Math.max(0, row)) * side + Math.min(side - 1, Math.max(0, column))] ?? 0;
    const above = pixel(left, top) * (left + 1 - x) + pixel(left + 1, top) * (x - left);
    const below = pixel(left, top + 1) * (left + 1 - x) + pixel(left + 1, top + 1) * (x - left);
    return above * (top + 1 - y) + below * (y - top);
  };
  return luma.map((_, index) => {
    let sum = 0;
    for (let step = 0; step < length; step++) {
      const along = step - (length - 1) / 2;
      sum += at((index % side) + along * right, Math.floor(index / side) + along * down);
    }
    return sum / length;
  });
}

describe('the directional sharpness of a face', () => {
  test('is that of a sharp one as it is, darker, of less contrast, and with noise', () => {
    let seed = 1;
    const noise = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return 20 * (seed / 2_147_483_647 - 0.5);
    };
    const sharp = [luma, luma.map((value) => value / 8), luma.map((value) => 150 + value / 4)];
    for (const one of [...sharp, luma.map((value) => value + noise())]) {
      expect(measureDirectionalSharpness(one)).toBeGreaterThan(1.4 * minDirectionalSharpness);
    }
  });

  test.each([0, 20, 45, 70, 135])('is low of one that moved along %i degrees', (angleDeg) => {
    for (const share of [0.2, 0.25]) {
      const [value, noisy] = [moved(share, angleDeg), moved(share, angleDeg)];
      expect(measureDirectionalSharpness(value)).toBeLessThan(minDirectionalSharpness);
      // Noise comes after the blur, and is no detail.
      for (const at of noisy.keys()) noisy[at] = (noisy[at] ?? 0) + ((at * 7919) % 13) / 3 - 2;
      expect(measureDirectionalSharpness(noisy)).toBeLessThan(minDirectionalSharpness);
    }
    expect(measureDirectionalSharpness(moved(0.03, angleDeg))).toBeGreaterThan(minDirectionalSharpness);
  });

  test('falls to less than half by any movement, also along the edges of a face that has few others', () => {
    for (const angleDeg of [80, 90, 110, 160]) {
      const half = measureDirectionalSharpness(luma) / 2;
      expect(measureDirectionalSharpness(moved(0.2, angleDeg))).toBeLessThan(half);
    }
  });

  test('is 0 where nothing is seen', () => {
    expect(measureDirectionalSharpness(new Float32Array(side * side).fill(90))).toBe(0);
    expect(measureDirectionalSharpness(new Float32Array(0))).toBe(0);
  });
});
