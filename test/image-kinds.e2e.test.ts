import { createLynceusClient } from '@lynceus/client';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { haveDefaultModels } from './support/default-models.js';
import { sample } from './support/sample.js';

const sign = () => sharp(sample);
/** The image as a camera held on its side stores it, with the turn noted in EXIF. */
const turned = (degrees: number, orientation: number) => async () =>
  sharp(await sign().rotate(degrees).jpeg().toBuffer())
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer();

const kinds: readonly (readonly [string, () => Promise<Buffer>])[] = [
  ['progressive JPEG', () => sign().jpeg({ progressive: true }).toBuffer()],
  ['CMYK JPEG', () => sign().toColourspace('cmyk').jpeg().toBuffer()],
  ['JPEG turned by 90 degrees', turned(270, 6)],
  ['JPEG turned by 180 degrees', turned(180, 3)],
  ['JPEG turned by 270 degrees', turned(90, 8)],
  ['PNG', () => sign().png().toBuffer()],
  ['PNG with a palette', () => sign().png({ palette: true }).toBuffer()],
  ['PNG of 16 bits', () => sign().toColourspace('rgb16').png().toBuffer()],
  ['PNG with alpha', () => sign().ensureAlpha(1).png().toBuffer()],
  ['WebP', () => sign().webp().toBuffer()],
  ['GIF', () => sign().gif().toBuffer()],
  ['TIFF', () => sign().tiff().toBuffer()],
  ['AVIF', () => sign().avif().toBuffer()],
];

describe.skipIf(!(await haveDefaultModels()))('every kind of image', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ LYNCEUS_INFERENCE_PROCESSES: '1', LYNCEUS_RECOGNITION_PARTS: 'objects' });
  });
  afterAll(() => service.stop());

  test.each(kinds)('the stop sign is found in a %s', async (_kind, encode) => {
    const { detectObjects } = createLynceusClient({ baseUrl: service.url, apiKey: service.key });
    const { predictions } = await detectObjects(await encode(), { modelId: 102 });
    expect(predictions[0]).toMatchObject({ class_title: 'stop sign' });
    const box = predictions[0]?.coordinates;
    expect([box?.xmin, box?.ymin, box?.xmax, box?.ymax].map((at = 0) => Math.round(at / 20))).toEqual([
      16, 3, 24, 12,
    ]);
  });
});
