import { EngineError, openImage } from '@lynceus/engine';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { confineSharp } from '#engine/image/confine-sharp.js';
import { cases, fuzzing } from './cases.js';
import { apply, type CostlyFormat, edits, partsOfImages } from './costly-images.js';

/** What decoding may cost: 2 to 4 times the dearest of large photographs, by pixel and by byte, and a start. */
const maxNsPerPixel = 250;
const maxNsPerByte = 250;
const startMs = 150;
/** Width and height of the images in pixels. */
const side = 400;

let images: Awaited<ReturnType<typeof partsOfImages>>;
beforeAll(async () => {
  confineSharp();
  images = await partsOfImages(side);
  for (const format of Object.keys(images) as CostlyFormat[]) await open(apply(images[format], []));
});

const formats: readonly CostlyFormat[] = [
  'jpeg',
  'png',
  'rows of a png',
  'gif',
  'webp',
  'tiff',
  'tiles of a tiff',
  'avif',
  'frames of an avif',
  'heic',
  'bmp',
];

async function open(bytes: Buffer): Promise<number> {
  const before = process.cpuUsage();
  try {
    await openImage({ kind: 'bytes', bytes }, { limits: { maxPixels: side * side }, detailPx: side });
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'internal') throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test.each(formats)(
  '%s: no structure makes decoding cost more than its bytes and pixels',
  fuzzing,
  async (format) => {
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        const bytes = apply(images[format], changes);
        const maxMs = startMs + (maxNsPerByte * bytes.length + maxNsPerPixel * side * side) / 1e6;
        const costMs = await open(bytes);
        // A second look, since a collection of garbage may fall into the first.
        if (costMs > maxMs) expect(await open(bytes)).toBeLessThanOrEqual(maxMs);
      }),
      cases(25),
    );
  },
);
