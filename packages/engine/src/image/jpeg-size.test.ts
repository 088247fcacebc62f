import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { plainJpegSize } from './jpeg-size.js';

const jpeg = (
  width: number,
  height: number,
  options: { progressive: boolean; grey: boolean; icc: boolean },
) => {
  const image = sharp({ create: { width, height, channels: 3, background: '#408020' } });
  if (options.grey) image.greyscale();
  if (options.icc) image.withIccProfile('p3');
  return image.jpeg({ progressive: options.progressive, quality: 50 }).toBuffer();
};

test('the size by the markers equals that of libvips for every kind of JPEG', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3000 }),
      fc.integer({ min: 1, max: 300 }),
      fc.record({ progressive: fc.boolean(), grey: fc.boolean(), icc: fc.boolean() }),
      async (width, height, options) => {
        const bytes = await jpeg(width, height, options);
        expect(plainJpegSize(bytes)).toEqual({ width, height });
      },
    ),
    { numRuns: 30 },
  );
});

test('a JPEG with Exif is left to libvips: it may have to be rotated', async () => {
  const bytes = await sharp({ create: { width: 8, height: 4, channels: 3, background: 'red' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect(plainJpegSize(bytes)).toBeUndefined();
});

test('any bytes give a size or none', () => {
  const marker = fc.tuple(fc.integer({ min: 0xc0, max: 0xff }), fc.uint8Array({ maxLength: 20 }));
  fc.assert(
    fc.property(fc.array(marker, { maxLength: 8 }), fc.uint8Array({ maxLength: 12 }), (segments, tail) => {
      const bytes = [0xff, 0xd8, ...segments.flatMap(([code, data]) => [0xff, code, ...data]), ...tail];
      const size = plainJpegSize(Uint8Array.from(bytes));
      if (size) expect(size.width + size.height).toBeGreaterThanOrEqual(0);
    }),
  );
});
