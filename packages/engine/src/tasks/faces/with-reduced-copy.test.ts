import sharp from 'sharp';
import { expect, test } from 'vitest';
import { openImage } from '../../image/open-image.js';
import { withReducedCopy } from './with-reduced-copy.js';

const size = { width: 1600, height: 1200 };

async function openWaves() {
  const waves = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200"><defs><linearGradient id="g"
      x2="0.1" spreadMethod="reflect"><stop stop-color="#103060"/><stop offset="1" stop-color="#e0b040"/></linearGradient>
      </defs><rect width="1600" height="1200" fill="url(#g)"/></svg>`,
  );
  const bytes = await sharp(waves).png().toBuffer();
  return openImage({ kind: 'bytes', bytes }, { limits: { maxPixels: 10_000_000 }, detailPx: 10_000 });
}

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length;
}

const patch = (side: number) => ({
  topLeft: { x: 300, y: 300 },
  topRight: { x: 300 + side, y: 340 },
  bottomLeft: { x: 260, y: 300 + side },
  width: 112,
  height: 112,
});

test('a large region from the copy shows the same as the original', async () => {
  const image = await openWaves();
  // Not quite of the image's proportions, as the sides of views are multiples of 32.
  const copied = await withReducedCopy(image, { width: 640, height: 448 });
  expect(copied).not.toBe(image);
  expect(meanDifference(await copied.patch(patch(600)), await image.patch(patch(600)))).toBeLessThan(2);
  const whole = { width: 640, height: 448 };
  expect(Buffer.compare(await copied.raster(whole), await image.raster(whole))).toBe(0);
});

test('a small region comes from the pixels of the original', async () => {
  const image = await openWaves();
  const copied = await withReducedCopy(image, { width: 640, height: 480 });
  expect(Buffer.compare(await copied.patch(patch(150)), await image.patch(patch(150)))).toBe(0);
});

test('an image that is hardly larger than the copy would be is left as it is', async () => {
  const image = await openWaves();
  expect(await withReducedCopy(image, { width: 1280, height: 960 })).toBe(image);
  expect(await withReducedCopy(image, size)).toBe(image);
});

test('of several copies, the smallest that shows enough is read', async () => {
  const image = await openWaves();
  const half = await withReducedCopy(image, { width: 800, height: 600 });
  const both = await withReducedCopy(half, { width: 320, height: 240 });
  const [small, large] = [
    { width: 320, height: 240 },
    { width: 400, height: 300, region: { xMin: 100, yMin: 100, xMax: 900, yMax: 700 } },
  ];
  expect(meanDifference(await both.raster(small), await image.raster(small))).toBeLessThan(2);
  // Of the copy, without another reduction.
  const pixels = await half.raster({ width: 800, height: 600 });
  const row = await both.raster(large);
  expect(
    Buffer.compare(row.subarray(0, 1200), pixels.subarray(3 * (50 * 800 + 50), 3 * (50 * 800 + 450))),
  ).toBe(0);
  expect(Buffer.compare(await both.patch(patch(150)), await image.patch(patch(150)))).toBe(0);
});
