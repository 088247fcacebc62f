import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { confineSharp } from './confine-sharp.js';
import type { Image, PatchRequest } from './image.js';
import { openImage } from './open-image.js';

const size = { width: 94, height: 86 };
/** Steps of colour per pixel; a whole number would bias all roundings in one direction. */
const slope = 2.69;
/** A colour encodes a position: red is x, green is y, blue is full. */
const gradient = (): Buffer => {
  const data = Buffer.alloc(size.width * size.height * 3, 255);
  for (let at = 0; at < size.width * size.height; at++) {
    data[at * 3] = Math.round((at % size.width) * slope);
    data[at * 3 + 1] = Math.round(Math.floor(at / size.width) * slope);
  }
  return data;
};

async function open(data: Buffer, rasters?: number): Promise<Image> {
  const bytes = await sharp(data, { raw: { ...size, channels: 3 } })
    .png()
    .toBuffer();
  const options = { limits: { maxPixels: 1e6 }, detailPx: 1024, ...(rasters ? { rasters } : {}) };
  return openImage({ kind: 'bytes', bytes }, options);
}

/** A patch around a point, its upper edge rotated clockwise; `scale` is pixels of the image to one of the patch. */
function turned(
  x: number,
  y: number,
  deg: number,
  scale: number,
  width: number,
  height: number,
): PatchRequest {
  const [cos, sin] = [Math.cos((deg * Math.PI) / 180) * scale, Math.sin((deg * Math.PI) / 180) * scale];
  const cornerAt = (i: number, j: number) => ({ x: x + cos * i - sin * j, y: y + sin * i + cos * j });
  return {
    topLeft: cornerAt(-width / 2, -height / 2),
    topRight: cornerAt(width / 2, -height / 2),
    bottomLeft: cornerAt(-width / 2, height / 2),
    width,
    height,
  };
}

/** The point in the image that the centre of a patch's pixel must show. */
function source({ topLeft, topRight, bottomLeft, width, height }: PatchRequest, i: number, j: number) {
  const [a, b] = [(i + 0.5) / width, (j + 0.5) / height];
  const along = (axis: 'x' | 'y') =>
    topLeft[axis] + a * (topRight[axis] - topLeft[axis]) + b * (bottomLeft[axis] - topLeft[axis]);
  return { x: along('x'), y: along('y') };
}

const colourAt = (cornerAt: number) => (cornerAt === 255 ? 255 : Math.round(cornerAt * slope));

/** The position that a colour encodes. */
function placeIn(data: Uint8Array, at: number): number {
  return (data[at] ?? Number.NaN) / slope + 0.5;
}

/** Mean offset in pixels of the image between the shown and the expected position. */
function offsetOf(request: PatchRequest, data: Uint8Array): { x: number; y: number } {
  const sum = { x: 0, y: 0 };
  for (let j = 0; j < request.height; j++) {
    for (let i = 0; i < request.width; i++) {
      const at = (j * request.width + i) * 3;
      const { x, y } = source(request, i, j);
      sum.x += placeIn(data, at) - x;
      sum.y += placeIn(data, at + 1) - y;
    }
  }
  const count = request.width * request.height;
  return { x: sum.x / count, y: sum.y / count };
}

beforeAll(confineSharp);

describe('a patch shows exactly the requested region', () => {
  const turns = [0, 30, 45, 90, 180, -107.3];
  /** Colours are whole numbers: at a single position their roundings may all be biased in one direction. */
  const shifts = [0, 0.17, 0.34, 0.51, 0.68, 0.85];
  const scales = [0.31, 1, 1.2, 2, 3.7];
  test.each(turns.flatMap((deg) => scales.map((scale) => [deg, scale] as const)))(
    'rotated by %d degrees, %d pixels to one',
    async (deg, scale) => {
      const image = await open(gradient());
      const mean = { x: 0, y: 0 };
      for (const shift of shifts) {
        const request = turned(46.87 + shift, 42.61 - shift, deg, scale, 17, 11);
        const data = await image.patch(request);
        expect(data.length).toBe(17 * 11 * 3);
        for (let at = 0; at < data.length; at += 3) {
          const cornerAt = source(request, (at / 3) % 17, Math.floor(at / 3 / 17));
          // Colours are rounded up to three times on the way.
          expect(Math.abs(placeIn(data, at) - cornerAt.x)).toBeLessThan(1.5 / slope);
          expect(Math.abs(placeIn(data, at + 1) - cornerAt.y)).toBeLessThan(1.5 / slope);
        }
        const { x, y } = offsetOf(request, data);
        mean.x += x / shifts.length;
        mean.y += y / shifts.length;
      }
      // A tenth of a pixel, of the patch or of the image, whichever is the coarser.
      expect(Math.max(Math.abs(mean.x), Math.abs(mean.y))).toBeLessThan(0.1 * Math.max(1, scale));
    },
  );

  test('whole pixels set upright come back untouched', async () => {
    const image = await open(gradient());
    const data = await image.patch(turned(40, 30, 0, 1, 20, 10));
    expect([...data.subarray(0, 6)]).toEqual([30, 25, 255, 31, 25, 255].map(colourAt));
  });

  test('upside down, the last pixel comes first', async () => {
    const data = await (await open(gradient())).patch(turned(40, 30, 180, 1, 20, 10));
    expect([...data.subarray(0, 6)]).toEqual([49, 34, 255, 48, 34, 255].map(colourAt));
  });

  test('mirrored and sheared regions too', async () => {
    const image = await open(gradient());
    const request = {
      topLeft: { x: 75, y: 20 },
      topRight: { x: 30, y: 25 },
      bottomLeft: { x: 80, y: 60 },
      width: 22,
      height: 21,
    };
    const { x, y } = offsetOf(request, await image.patch(request));
    expect(Math.hypot(x, y)).toBeLessThan(0.1);
  });

  test('in pixels of the original where the image was reduced on opening', async () => {
    const bytes = await sharp(gradient(), { raw: { ...size, channels: 3 } })
      .png()
      .toBuffer();
    const image = await openImage({ kind: 'bytes', bytes }, { limits: { maxPixels: 1e6 }, detailPx: 47 });
    const request = turned(47.37, 42.61, 30, 2, 17, 11);
    const { x, y } = offsetOf(request, await image.patch(request));
    expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(0.15);
  });

  test('also where it is the only raster of the image', async () => {
    const request = turned(47.37, 42.61, 30, 1, 17, 11);
    const once = await (await open(gradient(), 1)).patch(request);
    expect(once).toEqual(await (await open(gradient())).patch(request));
  });
});

test('pixels outside the image are black, and its border keeps its colour', async () => {
  const image = await open(gradient());
  for (const [deg, scale] of [
    [0, 1],
    [30, 0.5],
    [90, 3],
  ] as const) {
    const request = turned(0, 0, deg, scale, 21, 21);
    const data = await image.patch(request);
    for (let at = 0; at < data.length; at += 3) {
      const { x, y } = source(request, (at / 3) % 21, Math.floor(at / 3 / 21));
      if (Math.min(Math.abs(x), Math.abs(y)) < 1e-6) continue;
      expect(data[at + 2]).toBe(x >= 0 && y >= 0 ? 255 : 0);
    }
  }
  const beyond = await image.patch(turned(900, 900, 20, 1, 8, 8));
  expect(new Set(beyond)).toEqual(new Set([0]));
});

test('a patch of no size or of an empty source is answered without an error', async () => {
  const image = await open(gradient());
  const dot = { x: 50.5, y: 40.5 };
  const still = await image.patch({ topLeft: dot, topRight: dot, bottomLeft: dot, width: 2, height: 1 });
  expect([...still]).toEqual([50, 40, 255, 50, 40, 255].map(colourAt));
  const nowhere = { x: Number.NaN, y: 0 };
  const black = await image.patch({
    topLeft: nowhere,
    topRight: dot,
    bottomLeft: dot,
    width: 1,
    height: 1,
  });
  expect([...black]).toEqual([0, 0, 0]);
});

test.each([0, 45, 90])(
  'in a reduction, stripes of one pixel become grey, rotated by %d degrees',
  async (deg) => {
    const data = Buffer.alloc(size.width * size.height * 3);
    for (let at = 0; at < data.length; at++) data[at] = Math.floor(at / 3) % 2 === 0 ? 255 : 0;
    const patch = await (await open(data)).patch(turned(47, 43, deg, 4, 12, 12));
    for (const value of patch) expect(Math.abs(value - 127.5)).toBeLessThan(12);
  },
);
