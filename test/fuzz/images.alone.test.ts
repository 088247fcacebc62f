import { EngineError, openImage } from '@lynceus/engine';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { readBmpHeader } from '#engine/image/bmp-header.js';
import { confineSharp } from '#engine/image/confine-sharp.js';
import { identifyImage } from '#engine/image/identify.js';
import { plainJpegSize } from '#engine/image/jpeg-size.js';
import { cases, fuzzing } from './cases.js';
import { smallHeic, smallImages } from './images.js';
import { mutated } from './mutate.js';

let images: Readonly<Record<string, Buffer>>;
beforeAll(async () => {
  confineSharp();
  images = await smallImages();
});

const refusals: readonly string[] = [
  ...['image-empty', 'image-unsupported', 'image-corrupt', 'image-too-large', 'image-too-complex'],
];

/** What it answers, or undefined when it refuses the image; any other error is thrown on. */
function refusedOr<Result>(error: unknown): Result | undefined {
  if (error instanceof EngineError && refusals.includes(error.code)) return undefined;
  throw error;
}

test('the valid images are images', async () => {
  for (const [name, bytes] of Object.entries({ ...images, heic: smallHeic })) {
    await expect(open(bytes), name).resolves.toBeDefined();
  }
});

test('whatever a header holds, its kind and size are read or it is refused', fuzzing, () => {
  const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
  const bytes = fc.oneof(
    { weight: 6, arbitrary: mutated([...Object.values(images), smallHeic]) },
    { weight: 1, arbitrary: noise },
    { weight: 1, arbitrary: noise.map((tail) => Buffer.concat([Buffer.from('BM'), tail])) },
    { weight: 1, arbitrary: noise.map((tail) => Buffer.concat([Buffer.from('\0\0\0\x20ftyp'), tail])) },
  );
  fc.assert(
    fc.property(bytes, (image) => {
      const before = process.cpuUsage();
      for (const read of [identifyImage, readBmpHeader, plainJpegSize]) {
        try {
          read(image);
        } catch (error) {
          // Only what was found to be a BMP is read as one.
          if (!(read === plainJpegSize && image.length < 2)) refusedOr(error);
        }
      }
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
    }),
    cases(2500),
  );
});

async function open(bytes: Buffer): Promise<Uint8Array | undefined> {
  const limits = { maxPixels: 2_000_000 };
  try {
    const image = await openImage({ kind: 'bytes', bytes }, { limits, detailPx: 64 });
    expect(image.width * image.height).toBeLessThanOrEqual(limits.maxPixels);
    const raster = await image.raster({ width: 8, height: 8 });
    expect(raster).toHaveLength(8 * 8 * 3);
    return raster;
  } catch (error) {
    return refusedOr(error);
  }
}

test('whatever an image holds, it is decoded or refused', fuzzing, async () => {
  await fc.assert(
    fc.asyncProperty(mutated(Object.values(images)), async (bytes) => {
      await open(bytes);
    }),
    cases(800),
  );
});

test('whatever a HEIC image holds, it is decoded or refused', fuzzing, async () => {
  await fc.assert(
    fc.asyncProperty(mutated([smallHeic]), async (bytes) => {
      await open(bytes);
    }),
    cases(100),
  );
});
