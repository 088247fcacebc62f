import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EngineError } from '../errors.js';
import { colourOf, cornersPixels, seenCorners } from './fixtures/corners.js';
import { openImage } from './open-image.js';

const limits = { maxPixels: 1_000_000 };
const open = (bytes: Uint8Array) => openImage({ kind: 'bytes', bytes }, { limits, detailPx: 1024 });

// An odd width and height, so that padding and half bytes count.
const size = { width: 37, height: 21 };
const rgb = cornersPixels(size);
const palette = [
  [220, 30, 30],
  [30, 180, 30],
  [30, 30, 220],
  [240, 240, 240],
] as const;
const indexAt = (x: number, y: number) =>
  palette.findIndex(([red, green]) => {
    const at = (y * size.width + x) * 3;
    return rgb[at] === red && rgb[at + 1] === green;
  });

interface Shape {
  readonly bits: number;
  readonly topDown?: boolean;
  readonly compression?: number;
  readonly masks?: readonly number[];
  readonly headerBytes?: number;
  readonly gapBytes?: number;
  readonly pixels: Buffer;
}

function bmp(shape: Shape): Buffer {
  const { headerBytes = 40, masks = [], gapBytes = 0, bits } = shape;
  const header = Buffer.alloc(14 + headerBytes);
  if (headerBytes === 12) {
    header.writeUInt16LE(size.width, 18);
    header.writeUInt16LE(size.height, 20);
    header.writeUInt16LE(bits, 24);
  } else {
    header.writeInt32LE(size.width, 18);
    header.writeInt32LE(shape.topDown ? -size.height : size.height, 22);
    header.writeUInt16LE(bits, 28);
    header.writeUInt32LE(shape.compression ?? 0, 30);
    header.writeUInt32LE(bits <= 8 ? Math.min(4, 2 ** bits) : 0, 46);
  }
  const maskBytes = Buffer.alloc(masks.length * 4);
  masks.forEach((mask, index) => {
    if (headerBytes > 40) header.writeUInt32LE(mask, 54 + 4 * index);
    else maskBytes.writeUInt32LE(mask, 4 * index);
  });
  const entries = headerBytes === 12 ? 2 ** bits : Math.min(4, 2 ** bits);
  const colours = Array.from({ length: bits <= 8 ? entries : 0 }, (_, index) => {
    const [red, green, blue] = palette[index] ?? [0, 0, 0];
    return headerBytes === 12 ? [blue, green, red] : [blue, green, red, 0];
  }).flat();
  const front = Buffer.concat([
    header,
    headerBytes === 40 ? maskBytes : Buffer.alloc(0),
    Buffer.from(colours),
    Buffer.alloc(gapBytes, 0xaa),
  ]);
  front.write('BM');
  front.writeUInt32LE(front.length, 10);
  front.writeUInt32LE(headerBytes, 14);
  return Buffer.concat([front, shape.pixels]);
}

function rows(bits: number, topDown: boolean, pixel: (x: number, y: number) => number): Buffer {
  const stride = Math.ceil((size.width * bits) / 32) * 4;
  const data = Buffer.alloc(stride * size.height);
  for (let y = 0; y < size.height; y += 1) {
    const row = (topDown ? y : size.height - 1 - y) * stride;
    for (let x = 0; x < size.width; x += 1) {
      const value = pixel(x, y);
      if (bits >= 8) data.writeUIntLE(value, row + (x * bits) / 8, bits / 8);
      else {
        const at = row + Math.floor((x * bits) / 8);
        data[at] = (data[at] ?? 0) | (value << (8 - bits - ((x * bits) % 8)));
      }
    }
  }
  return data;
}

function packed(widths: readonly number[], shifts: readonly number[]): (x: number, y: number) => number {
  return (x, y) =>
    (palette[indexAt(x, y)] ?? []).reduce((sum, value, channel) => {
      const max = 2 ** (widths[channel] ?? 0) - 1;
      return sum + Math.round((value * max) / 255) * 2 ** (shifts[channel] ?? 0);
    }, 0);
}

const rgb24 = packed([8, 8, 8], [16, 8, 0]);
const opaque32 = (x: number, y: number) => rgb24(x, y) + 0xff000000;
/** Each row as runs of at most 5, every third run as a literal. */
function runs(bits: 4 | 8): Buffer {
  const out: number[] = [];
  for (let y = size.height - 1; y >= 0; y -= 1) {
    for (let x = 0, nth = 0; x < size.width; nth += 1) {
      const wanted = Array.from({ length: Math.min(5, size.width - x) }, (_, i) => indexAt(x + i, y));
      if (nth % 3 === 2 && wanted.length >= 3) {
        const bytes =
          bits === 8
            ? wanted
            : [0, 2, 4].flatMap((i) =>
                i < wanted.length ? [((wanted[i] ?? 0) << 4) | (wanted[i + 1] ?? 0)] : [],
              );
        out.push(0, wanted.length, ...bytes, ...(bytes.length % 2 ? [0] : []));
        x += wanted.length;
      } else {
        const first = wanted[0] ?? 0;
        const same = wanted.findIndex((index) => index !== first);
        const length = same < 0 ? wanted.length : same;
        out.push(length, bits === 8 ? first : (first << 4) | first);
        x += length;
      }
    }
    out.push(0, 0);
  }
  return Buffer.from([...out, 0, 1]);
}

const shapes: readonly (readonly [string, Shape])[] = [
  ['2 bits', { bits: 2, pixels: rows(2, false, indexAt) }],
  ['4 bits', { bits: 4, pixels: rows(4, false, indexAt) }],
  ['8 bits', { bits: 8, pixels: rows(8, false, indexAt) }],
  [
    '8 bits, top-down, a gap before the pixels',
    { bits: 8, topDown: true, gapBytes: 7, pixels: rows(8, true, indexAt) },
  ],
  ['8 bits, the old header', { bits: 8, headerBytes: 12, pixels: rows(8, false, indexAt) }],
  ['8 bits in runs', { bits: 8, compression: 1, pixels: runs(8) }],
  ['4 bits in runs', { bits: 4, compression: 2, pixels: runs(4) }],
  ['16 bits', { bits: 16, pixels: rows(16, false, packed([5, 5, 5], [10, 5, 0])) }],
  [
    '16 bits with masks',
    {
      bits: 16,
      compression: 3,
      masks: [0xf800, 0x07e0, 0x001f],
      pixels: rows(16, false, packed([5, 6, 5], [11, 5, 0])),
    },
  ],
  ['24 bits', { bits: 24, pixels: rows(24, false, rgb24) }],
  ['24 bits, top-down', { bits: 24, topDown: true, pixels: rows(24, true, rgb24) }],
  ['32 bits', { bits: 32, pixels: rows(32, false, rgb24) }],
  [
    '32 bits with masks and alpha',
    {
      bits: 32,
      compression: 3,
      headerBytes: 108,
      masks: [0xff0000, 0xff00, 0xff, 0xff000000],
      pixels: rows(32, false, opaque32),
    },
  ],
  [
    '32 bits with an alpha mask and no alpha',
    {
      bits: 32,
      compression: 3,
      headerBytes: 124,
      masks: [0xff0000, 0xff00, 0xff, 0xff000000],
      pixels: rows(32, false, rgb24),
    },
  ],
];

describe('BMP images', () => {
  test.each(shapes)('%s', async (_name, shape) => {
    const image = await open(bmp(shape));
    expect(image).toMatchObject({ kind: 'bmp', ...size });
    expect(await seenCorners(image)).toEqual(['red', 'green', 'blue', 'white']);
    const all = await image.raster(size);
    const near = all.every((value, at) => Math.abs(value - (rgb[at] ?? 0)) <= 8);
    expect(near).toBe(true);
  });

  test('1 bit', async () => {
    const image = await open(bmp({ bits: 1, pixels: rows(1, false, (x) => (x < 18 ? 0 : 1)) }));
    const [left, right] = await Promise.all(
      [0, 25].map((xMin) =>
        image.raster({ region: { xMin, yMin: 0, xMax: xMin + 10, yMax: 20 }, width: 1, height: 1 }),
      ),
    );
    expect([colourOf(left ?? []), colourOf(right ?? [])]).toEqual(['red', 'green']);
  });

  test('truncated anywhere it is damaged', async () => {
    for (const [, shape] of shapes) {
      const bytes = bmp(shape);
      for (const cut of [8, 60, shape.pixels.length]) {
        const code = await open(bytes.subarray(0, bytes.length - cut)).catch(({ code }) => code);
        expect(code).toBe('image-corrupt');
      }
    }
  });

  test('damaged anywhere it gives a documented error or an image', async () => {
    const files = shapes.map(([, shape]) => bmp(shape));
    const change = fc.record({ at: fc.nat(150), value: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(change, { maxLength: 5 }),
        async (file, changes) => {
          const bytes = Buffer.from(file);
          for (const { at, value } of changes) bytes[Math.max(2, at)] = value;
          const outcome = await open(bytes).catch((error: unknown) => error);
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(EngineError);
        },
      ),
      { numRuns: 400 },
    );
  });
});
