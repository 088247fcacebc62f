import { expect, test } from 'vitest';
import { backdropOf } from './backdrop.js';

/** An image in which each colour has so many pixels. */
function drawing(
  ...parts: readonly (readonly [count: number, red: number, green: number, blue: number, alpha: number])[]
) {
  const data = Uint8Array.from(
    parts.flatMap(([count, ...colour]) => Array.from({ length: count }, () => colour).flat()),
  );
  return { data, width: data.length / 4, height: 1, channels: 4 } as const;
}

test.each([
  ['nothing visible', '#ffffff', [[100, 255, 255, 255, 0]]],
  [
    'black letters',
    '#ffffff',
    [
      [90, 0, 0, 0, 0],
      [10, 0, 0, 0, 255],
    ],
  ],
  [
    'letters in a colour',
    '#ffffff',
    [
      [90, 0, 0, 0, 0],
      [10, 200, 30, 30, 255],
    ],
  ],
  [
    'a photograph with a bright sky',
    '#ffffff',
    [
      [20, 0, 0, 0, 0],
      [30, 250, 250, 250, 255],
      [50, 90, 80, 70, 255],
    ],
  ],
  [
    'white letters',
    '#000000',
    [
      [90, 0, 0, 0, 0],
      [10, 255, 255, 255, 255],
    ],
  ],
  [
    'white letters with a sign in a colour',
    '#000000',
    [
      [80, 0, 0, 0, 0],
      [15, 255, 255, 255, 255],
      [5, 200, 30, 30, 255],
    ],
  ],
  [
    'white and black letters',
    '#808080',
    [
      [80, 0, 0, 0, 0],
      [12, 255, 255, 255, 255],
      [8, 0, 0, 0, 255],
    ],
  ],
] as const)('%s: over %s', (_, backdrop, parts) => {
  expect(backdropOf(drawing(...parts))).toBe(backdrop);
});

test('three channels have no transparency', () => {
  const data = new Uint8Array(30).fill(255);
  expect(backdropOf({ data, channels: 3 })).toBe('#ffffff');
});
