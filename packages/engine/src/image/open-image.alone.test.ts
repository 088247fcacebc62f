import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { confineSharp } from './confine-sharp.js';
import {
  type Colour,
  colourOf,
  corners,
  cornersHeic,
  cornersPixels,
  seenCorners,
  turnedHeic,
} from './fixtures/corners.js';
import type { ImageKind } from './image.js';
import { openImage } from './open-image.js';

const limits = { maxPixels: 50_000_000 };
const upright: readonly Colour[] = ['red', 'green', 'blue', 'white'];
const open = (bytes: Uint8Array, detailPx = 1024) =>
  openImage({ kind: 'bytes', bytes }, { limits, detailPx });

beforeAll(confineSharp);

describe('every accepted kind is decoded upright and in its colours', () => {
  const kinds: readonly (readonly [string, ImageKind, () => Promise<Buffer> | Buffer])[] = [
    ['a baseline JPEG', 'jpeg', () => corners().jpeg().toBuffer()],
    ['a progressive JPEG', 'jpeg', () => corners().jpeg({ progressive: true }).toBuffer()],
    ['a CMYK JPEG', 'jpeg', () => corners().toColourspace('cmyk').jpeg().toBuffer()],
    ['a Display P3 JPEG', 'jpeg', () => corners().withIccProfile('p3').jpeg().toBuffer()],
    ['a PNG', 'png', () => corners().png().toBuffer()],
    ['a 16 bit PNG', 'png', () => corners().toColourspace('rgb16').png().toBuffer()],
    ['a palette PNG', 'png', () => corners().png({ palette: true, colours: 4 }).toBuffer()],
    ['an interlaced PNG', 'png', () => corners().png({ progressive: true }).toBuffer()],
    ['a PNG with alpha', 'png', () => corners().ensureAlpha(1).png().toBuffer()],
    ['a lossy WebP', 'webp', () => corners().webp().toBuffer()],
    ['a lossless WebP', 'webp', () => corners().webp({ lossless: true }).toBuffer()],
    ['a GIF', 'gif', () => corners().gif().toBuffer()],
    ['a TIFF', 'tiff', () => corners().tiff({ compression: 'lzw' }).toBuffer()],
    ['a tiled BigTIFF', 'tiff', () => corners().tiff({ tile: true, bigtiff: true }).toBuffer()],
    ['an AVIF', 'avif', () => corners().avif({ effort: 0 }).toBuffer()],
    ['a HEIC', 'heic', () => cornersHeic],
  ];
  test.each(kinds)('%s', async (_name, kind, make) => {
    const image = await open(await make());
    expect(image).toMatchObject({ kind, width: 96, height: 64 });
    expect(await seenCorners(image)).toEqual(upright);
  });

  test('a HEIC is rotated as its container says', async () => {
    const image = await open(turnedHeic);
    expect(image).toMatchObject({ width: 64, height: 96 });
    expect(await seenCorners(image)).toEqual(['green', 'white', 'red', 'blue']);
  });

  describe.each(['png', 'tiff'] as const)('a grey %s of 16 bits', (format) => {
    /** A ramp from black to the value. */
    const ramp = (white: number, hotPixel?: number) => {
      const samples = Uint16Array.from({ length: 64 * 32 }, (_, at) => ((at % 64) / 63) * white);
      if (hotPixel) samples[700] = hotPixel;
      const raw = { width: 64, height: 32, channels: 1 } as const;
      return sharp(samples, { raw })
        .toColourspace('grey16')
        .toFormat(format, { compression: 'lzw' })
        .toBuffer();
    };
    const whiteOf = async (bytes: Buffer) => {
      const pixels = await (await open(bytes)).raster({ width: 64, height: 32 });
      expect(pixels).toHaveLength(64 * 32 * 3);
      return Math.max(...pixels);
    };
    test.each([1100, 4095])('with values up to %i is stretched', async (white) => {
      expect(await whiteOf(await ramp(white))).toBe(white >> 4);
    });
    test.each([
      [200, 0],
      [1023, 3],
      [4096, 16],
      [20_000, 78],
      [65_535, 255],
    ])('with values up to %i stays as it is', async (white, shown) => {
      expect(await whiteOf(await ramp(white))).toBe(shown);
    });
    test('is taken as it is without a hot pixel', async () => {
      expect(await whiteOf(await ramp(200, 4000))).toBe(15);
      const image = await open(await ramp(4095, 65_535));
      const pixels = await image.raster({ width: 64, height: 32 });
      expect(pixels.filter((value) => value > 200).length).toBeGreaterThan(1000);
    });
    test('of black alone stays black, and one that is reduced is stretched too', async () => {
      expect(await whiteOf(await ramp(0))).toBe(0);
      const image = await open(await ramp(4095), 32);
      expect(Math.max(...(await image.raster({ width: 16, height: 8 })))).toBeGreaterThan(230);
    });
  });

  const grey = () =>
    sharp(Buffer.alloc(64 * 64, 128), { raw: { width: 64, height: 64, channels: 1 } }).toColourspace('b-w');
  test.each([
    ['a grey JPEG', () => grey().jpeg().toBuffer()],
    ['a grey PNG', () => grey().png().toBuffer()],
    ['a 16 bit grey PNG', () => grey().toColourspace('grey16').png().toBuffer()],
    ['a grey PNG with alpha', () => grey().ensureAlpha(1).png().toBuffer()],
    ['a grey TIFF', () => grey().tiff().toBuffer()],
    ['a bilevel TIFF', () => grey().threshold(120).tiff({ bitdepth: 1 }).toBuffer()],
  ])('%s becomes RGB', async (_name, make) => {
    const [red, green, blue, ...rest] = await (await open(await make())).raster({ width: 1, height: 1 });
    expect(rest).toEqual([]);
    expect(green).toBe(red);
    expect(blue).toBe(red);
    expect(red).toBeGreaterThan(120);
  });
});

test('transparent pixels are blended over white', async () => {
  const clear = await sharp({
    create: { width: 20, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .png()
    .toBuffer();
  expect(colourOf(await (await open(clear)).raster({ width: 1, height: 1 }))).toBe('white');
});

describe('an image whose pixels are all transparent', () => {
  const size = { width: 96, height: 64 };
  /** @param visible number of opaque pixels */
  const transparent = (alpha: number, visible = 0) => {
    const colours = cornersPixels(size);
    const data = Buffer.alloc(size.width * size.height * 4, alpha);
    for (let at = 0; at < data.length / 4; at += 1) {
      data.set(colours.subarray(3 * at, 3 * at + 3), 4 * at);
      if (at < visible) data[4 * at + 3] = 255;
    }
    return sharp(data, { raw: { ...size, channels: 4 } });
  };
  const encoders: readonly (readonly [string, (image: Sharp) => Promise<Buffer>])[] = [
    ['PNG', (image) => image.png().toBuffer()],
    ['PNG of 16 bits', (image) => image.toColourspace('rgb16').png().toBuffer()],
    ['WebP', (image) => image.webp({ lossless: true, exact: true }).toBuffer()],
    ['TIFF', (image) => image.tiff({ compression: 'lzw' }).toBuffer()],
  ];
  test.each(encoders)('shows the colours beneath as %s', async (_kind, encode) => {
    for (const alpha of [0, 1]) {
      const bytes = await encode(transparent(alpha));
      for (const detailPx of [1024, 40, 0]) {
        expect(await seenCorners(await open(bytes, detailPx))).toEqual(upright);
      }
      const once = { limits, detailPx: 40, rasters: 1 };
      expect(await seenCorners(await openImage({ kind: 'bytes', bytes }, once))).toEqual(upright);
    }
  });
  test.each(encoders)('shows its backdrop as %s where a few pixels are visible', async (_kind, encode) => {
    const bytes = await encode(transparent(0, 3));
    for (const detailPx of [1024, 32]) {
      expect(await seenCorners(await open(bytes, detailPx))).toEqual(['white', 'white', 'white', 'white']);
    }
  });
  test('shows its backdrop at an alpha that is meant', async () => {
    const bytes = await transparent(2).png().toBuffer();
    expect(await seenCorners(await open(bytes))).toEqual(['white', 'white', 'white', 'white']);
  });
});

describe('a TIFF with a channel behind its colours', () => {
  /** @param meaning ExtraSamples: 0 unspecified, 2 alpha */
  const withExtra = async (meaning: number, orientation = 1) => {
    const image = corners().ensureAlpha(0.2).withMetadata({ orientation });
    const bytes = await image.tiff({ compression: 'lzw' }).toBuffer();
    const entry = bytes.indexOf(Buffer.from([0x52, 1, 3, 0, 1, 0, 0, 0]));
    expect(entry).toBeGreaterThan(0);
    bytes.writeUInt16LE(meaning, entry + 8);
    return bytes;
  };
  test.each([1024, 40, 0])('that has no meaning shows the colours, at %i pixels', async (detailPx) => {
    expect(await seenCorners(await open(await withExtra(0), detailPx))).toEqual(upright);
    const turned = await open(await withExtra(0, 6), detailPx);
    expect(await seenCorners(turned)).toEqual(['blue', 'red', 'white', 'green']);
  });
  test('that is alpha shows the backdrop through them', async () => {
    expect(await seenCorners(await open(await withExtra(2)))).not.toEqual(upright);
  });
});

describe('all eight EXIF orientations', () => {
  // What a viewer shows when the stored rows are red green / blue white.
  const shown: readonly (readonly [number, readonly Colour[]])[] = [
    [1, ['red', 'green', 'blue', 'white']],
    [2, ['green', 'red', 'white', 'blue']],
    [3, ['white', 'blue', 'green', 'red']],
    [4, ['blue', 'white', 'red', 'green']],
    [5, ['red', 'blue', 'green', 'white']],
    [6, ['blue', 'red', 'white', 'green']],
    [7, ['white', 'green', 'blue', 'red']],
    [8, ['green', 'white', 'red', 'blue']],
  ];
  test.each(shown)('orientation %i', async (orientation, expected) => {
    const bytes = await corners().withMetadata({ orientation }).jpeg().toBuffer();
    for (const detailPx of [1024, 40]) {
      const image = await open(bytes, detailPx);
      expect(image).toMatchObject(orientation < 5 ? { width: 96, height: 64 } : { width: 64, height: 96 });
      expect(image.orientation ?? 1).toBe(orientation);
      expect(await seenCorners(image)).toEqual(expected);
    }
  });
});

describe('rasters', () => {
  test('a region is given in pixels of the oriented original, however far the image was reduced', async () => {
    const bytes = await corners({ width: 1600, height: 1200 })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    for (const detailPx of [0, 100, 2000]) {
      const image = await open(bytes, detailPx);
      expect(image).toMatchObject({ width: 1200, height: 1600 });
      const look = async (xMin: number, yMin: number) =>
        colourOf(
          await image.raster({
            region: { xMin, yMin, xMax: xMin + 300, yMax: yMin + 300 },
            width: 1,
            height: 1,
          }),
        );
      expect(await look(150, 150)).toBe('blue');
      expect(await look(750.5, 200.2)).toBe('red');
      expect(await look(150, 1100)).toBe('white');
      expect(await look(750, 1100)).toBe('green');
    }
  });

  test('a raster has exactly the requested size, enlarged or not', async () => {
    const image = await open(await corners().png().toBuffer());
    for (const [width, height] of [
      [96, 64],
      [300, 300],
      [1, 7],
      [500, 3],
    ] as const) {
      expect(await image.raster({ width, height })).toHaveLength(width * height * 3);
    }
  });

  test('a region outside, empty or a fraction of a pixel wide still gives a raster', async () => {
    const image = await open(await corners().png().toBuffer());
    for (const region of [
      { xMin: 500, yMin: 500, xMax: 600, yMax: 600 },
      { xMin: -50, yMin: -50, xMax: -10, yMax: -10 },
      { xMin: 10, yMin: 10, xMax: 10, yMax: 10 },
      { xMin: 95.9, yMin: 63.9, xMax: 96, yMax: 64 },
    ]) {
      expect(await image.raster({ region, width: 5, height: 5 })).toHaveLength(75);
    }
  });

  test('a raster is a copy: writing into it changes no other', async () => {
    const image = await open(await corners().png().toBuffer());
    const before = await image.raster({ width: 96, height: 64 });
    const copy = before.slice();
    before.fill(0);
    expect(await image.raster({ width: 96, height: 64 })).toEqual(copy);
  });
});

describe('first frames and pages', () => {
  const frame = (background: string) => ({
    create: { width: 40, height: 30, channels: 3 as const, background },
  });
  test.each(['gif', 'webp', 'tiff'] as const)('of a %s with several, the first is used', async (kind) => {
    const frames = await Promise.all(['#dc1e1e', '#1e1edc'].map((c) => sharp(frame(c)).png().toBuffer()));
    const bytes = await sharp(frames, { join: { animated: true } })
      .toFormat(kind)
      .toBuffer();
    const image = await open(bytes);
    expect(image).toMatchObject({ kind, width: 40, height: 30 });
    expect(colourOf(await image.raster({ width: 1, height: 1 }))).toBe('red');
  });

  test('a GIF of 10,000 frames is opened within a second of CPU', async () => {
    const one = await corners().gif().toBuffer();
    const colours = one[10] ?? 0;
    const headBytes = 13 + (colours & 0x80 ? 3 * 2 ** ((colours & 7) + 1) : 0);
    const frames = Array.from({ length: 10_000 }, () => one.subarray(headBytes, -1));
    const bytes = Buffer.concat([one.subarray(0, headBytes), ...frames, Buffer.from([0x3b])]);
    const before = process.cpuUsage();
    expect(await seenCorners(await open(bytes))).toEqual(upright);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
  });
});

describe('sources', () => {
  test('a file, binary or base64, is opened like bytes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lynceus-image-'));
    try {
      const bytes = await corners().jpeg().toBuffer();
      const path = join(folder, 'image');
      await writeFile(path, bytes);
      const binary = await openImage({ kind: 'file', path }, { limits, detailPx: 100 });
      expect(await seenCorners(binary)).toEqual(upright);
      await writeFile(path, `data:image/png;base64,${bytes.toString('base64')}`);
      const text = await openImage({ kind: 'file', path, encoding: 'base64' }, { limits, detailPx: 100 });
      expect(text.kind).toBe('jpeg');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('a missing file is reported as such', async () => {
    const source = { kind: 'file', path: join(tmpdir(), 'lynceus-no-such-image') } as const;
    await expect(openImage(source, { limits, detailPx: 100 })).rejects.toMatchObject({
      code: 'image-empty',
      message: 'the image file is gone',
    });
  });
});
