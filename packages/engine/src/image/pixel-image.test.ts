import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { imageOf } from './pixel-image.js';

test('a region at its own size has the pixels of the image, row by row', async () => {
  const [width, height] = [37, 23];
  const data = Uint8Array.from({ length: width * height * 3 }, (_, index) => (index * 89) % 251);
  const before = data.slice();
  const image = imageOf('png', { width, height, pixels: { data, width, height, channels: 3 } });
  const place = fc.record({
    left: fc.integer({ min: 0, max: width - 1 }),
    top: fc.integer({ min: 0, max: height - 1 }),
    right: fc.integer({ min: 1, max: width }),
    bottom: fc.integer({ min: 1, max: height }),
  });
  const property = fc.asyncProperty(place, async ({ left, top, right, bottom }) => {
    fc.pre(right > left && bottom > top);
    const cut = { left, top, width: right - left, height: bottom - top };
    const region = { xMin: left, yMin: top, xMax: right, yMax: bottom };
    const read = await image.raster({ region, width: cut.width, height: cut.height });
    const expected = sharp(data, { raw: { width, height, channels: 3 } }).extract(cut);
    expect(Buffer.compare(read, await expected.raw().toBuffer())).toBe(0);
    // The caller's own.
    read.fill(0);
  });
  await fc.assert(property);
  expect(data).toEqual(before);
});
