import { expect, test } from 'vitest';
import type { GreyImage } from '../../decoding/frame.js';
import { createShotChange } from './shot-change.js';

const [width, height] = [96, 54];

/** Hills of light with this many to the width, moved by pixels, brighter and stronger. */
function scene(hills: number, { shift = 0, brighter = 0, strength = 60, noise = 0 } = {}): GreyImage {
  const pixels = Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [(at % width) + shift, Math.floor(at / width)];
    const wave = Math.sin((x * hills * Math.PI) / width) + Math.cos((y * hills * Math.PI) / height);
    return Math.max(
      0,
      Math.min(255, 110 + brighter + (strength / 2) * wave + noise * (((at * 7919) % 7) - 3)),
    );
  });
  return { width, height, pixels };
}

/** A bright square before a plain wall. */
function wallWith(left: number): GreyImage {
  const pixels = new Uint8Array(width * height).fill(90);
  for (let y = 10; y < 40; y += 1) pixels.fill(200, y * width + left, y * width + left + 30);
  return { width, height, pixels };
}

/** The frame between bars so many pixels wide at the left and right, and high above and below. */
function withBars({ pixels }: GreyImage, { x = 0, y = 0, grey = 16 }): GreyImage {
  const isBar = (column: number, row: number) =>
    column < x || column >= width - x || row < y || row >= height - y;
  return {
    ...{ width, height },
    pixels: pixels.map((value, at) => (isBar(at % width, Math.floor(at / width)) ? grey + (at % 5) : value)),
  };
}

test.each([
  ['the same scene with noise', scene(2), scene(2, { noise: 8 }), false],
  ['a lamp that is switched on', scene(2), scene(2, { brighter: 80, strength: 40 }), false],
  ['a camera that pans by a tenth', scene(2), scene(2, { shift: 10 }), false],
  ['a camera that pans by a fifth over fine detail', scene(5), scene(5, { shift: 19 }), false],
  [
    'a camera that pans between bars',
    withBars(scene(9), { x: 20 }),
    withBars(scene(9, { shift: 11 }), { x: 20 }),
    false,
  ],
  ['something that moves before a plain wall', wallWith(10), wallWith(60), false],
  ['another scene', scene(2), scene(5), true],
  ['another scene of a portrait film', withBars(scene(2), { x: 33 }), withBars(scene(8), { x: 33 }), true],
  ['another scene of a wide film', withBars(scene(2), { y: 7 }), withBars(scene(5), { y: 7 }), true],
  [
    'another scene in a white window',
    withBars(scene(2), { x: 20, y: 12, grey: 230 }),
    withBars(scene(8), { x: 20, y: 12, grey: 230 }),
    true,
  ],
  ['a cut to black', scene(2), scene(2, { strength: 0, brighter: -100 }), true],
  ['black that stays', scene(2, { strength: 0 }), scene(3, { strength: 0, brighter: 50 }), false],
])('%s', (_name, first, second, isChange) => {
  const isShotChange = createShotChange();
  expect([isShotChange(first), isShotChange(second)]).toEqual([false, isChange]);
});

test('frames are kept although the decoder uses their memory again', () => {
  const isShotChange = createShotChange();
  const frame = scene(2);
  isShotChange(frame);
  frame.pixels.set(scene(5).pixels);
  expect(isShotChange(frame)).toBe(true);
});

test('frames of another size show another shot', () => {
  const isShotChange = createShotChange();
  expect([scene(2), { width: 1, height: 1, pixels: Uint8Array.of(1) }].map(isShotChange)).toEqual([
    false,
    true,
  ]);
});
