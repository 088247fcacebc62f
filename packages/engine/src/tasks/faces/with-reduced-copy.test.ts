import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Image } from '../../image/image.js';
import { openImage } from '../../image/open-image.js';
import { imageOf } from '../../image/pixel-image.js';
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

/** Noise, and the sizes of what is read from it. */
function openNoise(width: number, height: number): { image: Image; asked: string[] } {
  let state = 1;
  const data = Uint8Array.from({ length: width * height * 3 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
  const noise = imageOf('png', { width, height, pixels: { data, width, height, channels: 3 } });
  const asked: string[] = [];
  const raster: Image['raster'] = (request) => {
    asked.push(`${request.width}x${request.height}`);
    return noise.raster(request);
  };
  const takePatch: Image['patch'] = (request) => {
    asked.push(`patch of ${request.width}`);
    return noise.patch(request);
  };
  return { image: { ...noise, raster, patch: takePatch }, asked };
}

test('of several copies, the smallest that shows enough is read', async () => {
  const { image, asked } = openNoise(1600, 1200);
  const half = await withReducedCopy(image, { width: 800, height: 600 });
  const pixels = await half.raster({ width: 800, height: 600 });
  const both = await withReducedCopy(half, { width: 320, height: 240 });
  expect(asked).toEqual(['800x600']);
  await both.raster({ width: 320, height: 240 });
  await both.patch(patch(600));
  const region = { xMin: 200, yMin: 150, xMax: 1000, yMax: 750 };
  const cut = await both.raster({ region, width: 400, height: 300 });
  expect(asked).toEqual(['800x600']);
  const expected = sharp(pixels, { raw: { width: 800, height: 600, channels: 3 } });
  const whole = await expected.extract({ left: 100, top: 75, width: 400, height: 300 }).raw().toBuffer();
  expect(Buffer.compare(cut, whole)).toBe(0);
  await both.patch(patch(240));
  await both.raster({ region, width: 400, height: 320 });
  await both.raster({ region, width: 420, height: 300 });
  expect(asked).toEqual(['800x600', 'patch of 112', '400x320', '420x300']);
});
