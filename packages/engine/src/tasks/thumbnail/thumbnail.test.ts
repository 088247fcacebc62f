import sharp from 'sharp';
import { expect, test } from 'vitest';
import { openPicture } from '../../image/open-picture.js';
import { thumbnail } from './thumbnail.js';

async function thumbnailOf(width: number, height: number, orientation?: number) {
  const drawn = sharp({ create: { width, height, channels: 3, background: '#c04020' } }).jpeg();
  const bytes = await (orientation === undefined ? drawn : drawn.withMetadata({ orientation })).toBuffer();
  const picture = await openPicture(
    { kind: 'bytes', bytes },
    { limits: { maxPixels: 1_000_000 }, detailPx: 100, rasters: 1 },
  );
  const { signal } = new AbortController();
  const load = () => Promise.reject(new Error('it needs no model'));
  return thumbnail.run({ picture, load, earlier: {}, signal }, { maxSidePx: 100 });
}

test('a thumbnail is a small JPEG of the whole picture, upright', async () => {
  const { jpeg, width, height } = await thumbnailOf(600, 300, 6);
  expect({ width, height }).toEqual({ width: 50, height: 100 });
  expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 50, height: 100 });
});

test('a small picture is not enlarged', async () => {
  expect(await thumbnailOf(30, 20)).toMatchObject({ width: 30, height: 20 });
});
