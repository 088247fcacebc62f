import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Box } from '../../image/box.js';
import { openImage } from '../../image/open-image.js';
import { thumbnail } from './thumbnail.js';

async function thumbnailOf(width: number, height: number, orientation?: number, box?: Box) {
  const options = {
    maxSidePx: 100,
    ...(box ? { region: { box, imageSidePx: Math.max(width, height) } } : {}),
  };
  const drawn = sharp({ create: { width, height, channels: 3, background: '#c04020' } }).jpeg();
  const bytes = await (orientation === undefined ? drawn : drawn.withMetadata({ orientation })).toBuffer();
  const image = await openImage(
    { kind: 'bytes', bytes },
    { limits: { maxPixels: 1_000_000 }, detailPx: thumbnail.detailPx(options), rasters: 1 },
  );
  const { signal } = new AbortController();
  const load = () => Promise.reject(new Error('it needs no model'));
  return thumbnail.run({ image, load, earlier: {}, signal }, options);
}

test('a thumbnail is a small JPEG of the whole image, upright', async () => {
  const { jpeg, width, height } = await thumbnailOf(600, 300, 6);
  expect({ width, height }).toEqual({ width: 50, height: 100 });
  expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 50, height: 100 });
});

test('a small image is not enlarged', async () => {
  expect(await thumbnailOf(30, 20)).toMatchObject({ width: 30, height: 20 });
});

test('a region is cropped, clipped to the oriented image', async () => {
  const box = { xMin: -50, yMin: 200, xMax: 150, yMax: 300 };
  expect(await thumbnailOf(600, 300, 6, box)).toMatchObject({ width: 100, height: 67 });
  const outside = { xMin: 700, yMin: 0, xMax: 800, yMax: 100 };
  expect(await thumbnailOf(600, 300, undefined, outside)).toMatchObject({ width: 100, height: 50 });
});

test('a thumbnail carries no metadata of its image', async () => {
  const { jpeg } = await thumbnailOf(600, 300, 6);
  const { exif, icc, xmp, iptc } = await sharp(jpeg).metadata();
  expect([exif, icc, xmp, iptc]).toEqual([undefined, undefined, undefined, undefined]);
});
