import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Mark } from '../../image/annotate.js';
import { openImage } from '../../image/open-image.js';
import { type DrawTaskOptions, draw } from './draw.js';

/** Draws on white of 1280x720; the answer with its pixels. */
async function drawn(options: Partial<DrawTaskOptions> = {}) {
  const all = { maxSidePx: 1280, quality: 80, marks: [], ...options };
  const create = { width: 1280, height: 720, channels: 3, background: '#ffffff' } as const;
  const image = await openImage(
    { kind: 'bytes', bytes: await sharp({ create }).png().toBuffer() },
    { limits: { maxPixels: 1e6 }, detailPx: draw.detailPx(all), rasters: draw.rasters(all) },
  );
  const load = () => Promise.reject(new Error('it needs no model'));
  const result = await draw.run({ image, load, earlier: {}, signal: new AbortController().signal }, all);
  const { data, info } = await sharp(result.jpeg).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([result.width, result.height]);
  const isWhite = (x: number, y: number) =>
    Math.min(...data.subarray(3 * (y * info.width + x)).subarray(0, 3)) > 220;
  let coloured = 0;
  for (let at = 1; at < data.length; at += 3) if ((data[at] ?? 0) < 200) coloured += 1;
  return { ...result, isWhite, coloured };
}

const mark = (xMin: number, yMin: number, title?: string): Mark => ({
  box: { xMin, yMin, xMax: xMin + 200, yMax: yMin + 200 },
  ...(title !== undefined && { title }),
});

describe('a drawing', () => {
  test('without marks is a plain JPEG, reduced and never enlarged', async () => {
    const reduced = await drawn({ maxSidePx: 640 });
    expect(reduced).toMatchObject({ width: 640, height: 360, coloured: 0 });
    expect(await drawn({ maxSidePx: 4000 })).toMatchObject({ width: 1280, height: 720 });
    expect((await sharp(reduced.jpeg).metadata()).format).toBe('jpeg');
  });

  test('of a lower quality is smaller', async () => {
    const marks = [mark(200, 200, 'person'), mark(500, 300, 'dog')];
    const [low, high] = [await drawn({ marks, quality: 20 }), await drawn({ marks, quality: 95 })];
    expect(low.jpeg.length).toBeLessThan(high.jpeg.length);
  });

  test('has its marks where they are in the reduced image, in lines of a width that suits it', async () => {
    const { isWhite } = await drawn({ maxSidePx: 320, marks: [mark(400, 400)] });
    expect(isWhite(101, 125)).toBe(false);
    expect(isWhite(104, 125)).toBe(true);
    expect(isWhite(148, 125)).toBe(false);
    expect(isWhite(98, 125)).toBe(true);
  });

  test('has letters only for marks with a title', async () => {
    const [mute, titled, noted] = [
      await drawn({ marks: [mark(400, 400)] }),
      await drawn({ marks: [mark(400, 400, 'person')] }),
      await drawn({ marks: [{ ...mark(400, 400, 'person'), note: '0.97' }] }),
    ];
    expect(titled.coloured).toBeGreaterThan(mute.coloured + 500);
    expect(noted.coloured).toBeGreaterThan(titled.coloured + 500);
  });

  test('shows a zone as a polygon without a box and without letters', async () => {
    const polygon = [
      { x: 100, y: 100 },
      { x: 1100, y: 100 },
      { x: 1100, y: 600 },
    ];
    const { isWhite } = await drawn({ marks: [{ polygon, group: 'zone' }] });
    expect(isWhite(600, 100)).toBe(false);
    expect(isWhite(600, 350)).toBe(false);
    expect(isWhite(100, 400)).toBe(true);
    expect(isWhite(600, 90)).toBe(true);
  });

  test('of a part has the marks of that part alone', async () => {
    const crop = { box: { xMin: 400, yMin: 300, xMax: 700, yMax: 600 }, imageSidePx: 1280 };
    const marks = [mark(450, 350), mark(10, 10, 'elsewhere'), mark(900, 100, 'elsewhere')];
    const { width, height, isWhite, coloured } = await drawn({ maxSidePx: 150, crop, marks });
    expect([width, height]).toEqual([150, 150]);
    expect(isWhite(25, 75)).toBe(false);
    expect(isWhite(75, 75)).toBe(true);
    const { coloured: ownOnly } = await drawn({ maxSidePx: 150, crop, marks: marks.slice(0, 1) });
    expect(coloured).toBe(ownOnly);
  });

  test('of a part outside of the image is that of the whole image', async () => {
    const crop = { box: { xMin: 2000, yMin: 0, xMax: 2100, yMax: 100 }, imageSidePx: 1280 };
    expect(await drawn({ maxSidePx: 640, crop })).toMatchObject({ width: 640, height: 360 });
  });
});

test('a drawing changes nothing of the image that other tasks see', async () => {
  const create = { width: 300, height: 200, channels: 3, background: '#ffffff' } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  const image = await openImage({ kind: 'bytes', bytes }, { limits: { maxPixels: 1e6 }, detailPx: 300 });
  const before = await image.raster({ width: 300, height: 200 });
  const context = { image, load: () => Promise.reject(), earlier: {}, signal: new AbortController().signal };
  await draw.run(context, { maxSidePx: 300, quality: 80, marks: [mark(20, 20, 'all')] });
  expect(Buffer.from(await image.raster({ width: 300, height: 200 })).equals(before)).toBe(true);
});
