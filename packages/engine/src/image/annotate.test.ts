import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawMarks, type Mark } from './annotate.js';
import { openImage } from './open-image.js';

async function drawn(marks: readonly Mark[]) {
  const create = { width: 400, height: 300, channels: 3, background: '#ffffff' } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  const image = await openImage({ kind: 'bytes', bytes }, { limits: { maxPixels: 1e6 }, detailPx: 1e6 });
  const { data, info } = await sharp((await drawMarks(image, marks)).jpeg)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return (x: number, y: number) => [...data.subarray(3 * (y * info.width + x)).subarray(0, 3)];
}
const isWhite = ([r = 0, g = 0, b = 0]: number[]) => Math.min(r, g, b) > 230;

test('a box and a polygon are drawn along their sides', async () => {
  const box = { xMin: 100, yMin: 100, xMax: 300, yMax: 200 };
  const polygon = [
    { x: 100, y: 150 },
    { x: 200, y: 100 },
    { x: 300, y: 150 },
    { x: 200, y: 200 },
  ];
  const square = await drawn([{ box, title: 'a' }]);
  expect(isWhite(square(101, 180))).toBe(false);
  expect(isWhite(square(150, 125))).toBe(true);
  const rhombus = await drawn([{ box, polygon, title: 'a' }]);
  expect(isWhite(rhombus(101, 180))).toBe(true);
  expect(isWhite(rhombus(150, 125))).toBe(false);
});

test('marks of one group share a colour, whatever they say; markup in a title is only text', async () => {
  const at = (xMin: number) => ({ xMin, yMin: 50, xMax: xMin + 100, yMax: 150 });
  const pixel = await drawn([
    { box: at(16), title: 'one', group: 'text' },
    { box: at(208), title: '</span><b>&', group: 'text' },
  ]);
  expect(pixel(17, 120)).toEqual(pixel(209, 120));
});

test('marks outside the image or of no size are ignored', async () => {
  const pixel = await drawn([
    { box: { xMin: -50, yMin: -50, xMax: 900, yMax: 900 }, title: 'all' },
    { box: { xMin: 500, yMin: 500, xMax: 500, yMax: 500 }, title: 'out' },
    { box: { xMin: 20, yMin: 20, xMax: 20, yMax: 20 }, polygon: [{ x: 20, y: 20 }], title: 'point' },
  ]);
  expect(isWhite(pixel(0, 150))).toBe(false);
});
