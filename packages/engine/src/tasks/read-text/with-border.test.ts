import { expect, test } from 'vitest';
import { imageOf } from '../../image/pixel-image.js';
import { withBorder } from './with-border.js';

/** Blue paper, 20x10, with a red column at the left edge. */
function drawing() {
  const [width, height] = [20, 10];
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at += 1) data.set(at % width < 3 ? [200, 0, 0] : [0, 0, 200], at * 3);
  return imageOf('png', { width, height, pixels: { data, width, height, channels: 3 } });
}
const colourAt = (data: Uint8Array, width: number, x: number, y: number) => [
  ...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
];
const [red, blue] = [
  [200, 0, 0],
  [0, 0, 200],
];

test('the border has the most frequent colour, and the image is inside unchanged', async () => {
  const { image } = await withBorder(drawing(), 4);
  expect([image.width, image.height]).toEqual([28, 18]);
  const data = await image.raster({ width: 28, height: 18 });
  expect(colourAt(data, 28, 0, 9)).toEqual(blue);
  expect(colourAt(data, 28, 4, 4)).toEqual(red);
  expect(colourAt(data, 28, 6, 13)).toEqual(red);
  expect(colourAt(data, 28, 3, 4)).toEqual(blue);
  expect(colourAt(data, 28, 4, 14)).toEqual(blue);
});

test('an image with a plain margin of that width is left as it is', async () => {
  const [width, height] = [24, 16];
  const data = new Uint8Array(width * height * 3).fill(250);
  for (let x = 4; x < 20; x += 1) data.fill(0, (8 * width + x) * 3, (8 * width + x + 1) * 3);
  const image = imageOf('png', { width, height, pixels: { data, width, height, channels: 3 } });
  expect(await withBorder(image, 4)).toEqual({ image, borderPx: 0 });
  expect((await withBorder(image, 5)).borderPx).toBe(5);
});

test('a region and a reduced copy are cut from image and border alike', async () => {
  const { image } = await withBorder(drawing(), 4);
  const part = await image.raster({
    region: { xMin: 2, yMin: 2, xMax: 8, yMax: 8 },
    width: 6,
    height: 6,
  });
  expect([colourAt(part, 6, 1, 3), colourAt(part, 6, 2, 3), colourAt(part, 6, 3, 1)]).toEqual([
    blue,
    red,
    blue,
  ]);
  const half = await image.raster({ width: 14, height: 9 });
  expect(colourAt(half, 14, 0, 4)).toEqual(blue);
  expect(half).toHaveLength(14 * 9 * 3);
});

test('a patch reads across the edge', async () => {
  const { image } = await withBorder(drawing(), 4);
  const [topLeft, topRight, bottomLeft] = [
    { x: 0, y: 4 },
    { x: 28, y: 4 },
    { x: 0, y: 14 },
  ];
  const data = await image.patch({ topLeft, topRight, bottomLeft, width: 28, height: 10 });
  expect([colourAt(data, 28, 1, 5), colourAt(data, 28, 5, 5), colourAt(data, 28, 26, 5)]).toEqual([
    blue,
    red,
    blue,
  ]);
});
