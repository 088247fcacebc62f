import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { EngineError } from '../errors.js';
import { confineSharp } from './confine-sharp.js';
import { corners, cornersHeic } from './fixtures/corners.js';
import { openImage } from './open-image.js';

const limits = { maxPixels: 50_000_000 };
const open = (bytes: Uint8Array) => openImage({ kind: 'bytes', bytes }, { limits, detailPx: 64 });
const codeOf = (bytes: Uint8Array) =>
  open(bytes).then(
    () => 'opened',
    (error: unknown) => (error instanceof EngineError ? error.code : `stray ${String(error)}`),
  );

beforeAll(confineSharp);

describe('a file that is not an accepted image is refused by its bytes, and its kind is named', () => {
  const ftyp = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0${brand}isom`, 'latin1');
  test.each([
    ['image-empty', Buffer.alloc(0), '0 bytes'],
    ['image-unsupported', Buffer.from([7]), 'not an image of a supported kind; accepted'],
    ['image-unsupported', Buffer.from('BM is how this text begins, and it goes on for a while'), 'text'],
    ['image-unsupported', Buffer.from('\x89PNG\r\r\n\x1a\r\n', 'latin1'), 'FTP in ASCII mode'],
    ['image-unsupported', Buffer.from('%PDF-1.7 …'), 'PDF'],
    ['image-unsupported', Buffer.from('PK\x03\x04 …'), 'ZIP'],
    ['image-unsupported', Buffer.from('<?xml version="1.0"?>\n<svg xmlns="…"/>'), 'SVG'],
    [
      'image-unsupported',
      Buffer.from('\ufeff<!-- x --><svg><image href="file:///etc/passwd"/></svg>'),
      'SVG',
    ],
    ['image-unsupported', Buffer.from('<!doctype html><p>Not found'), 'HTML'],
    ['image-unsupported', Buffer.from([0xff, 0x0a, 0, 0]), 'JPEG XL'],
    ['image-unsupported', Buffer.from('\0\0\0\x0cJXL \r\n\x87\n', 'latin1'), 'JPEG XL'],
    ['image-unsupported', ftyp('isom'), 'video'],
    ['image-unsupported', ftyp('crx '), 'a raw file of a camera'],
    ['image-unsupported', Buffer.from('RIFF\0\0\0\0AVI LIST'), 'video'],
    ['image-unsupported', Buffer.from('8BPS\0\x01'), 'Photoshop'],
    ['image-unsupported', Buffer.from('\0\0\x01\0\x01\0'), 'icon'],
    ['image-unsupported', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x04CgBI', 'latin1'), 'iOS'],
    ['image-unsupported', Buffer.from('/9j/4AAQSkZJRgABAQ'), 'base64'],
    ['image-unsupported', Buffer.from(' data:image/png;base64,iVBORw0KGgoAAAANSUhEUg'), 'base64'],
    ['image-unsupported', Buffer.from('\xef\xbb\xbf\xff\xd8\xff\xe0', 'latin1'), 'behind other bytes'],
    ['image-unsupported', Buffer.from('\n\x89PNG\r\n\x1a\n', 'latin1'), 'behind other bytes'],
    ['image-unsupported', Buffer.concat([Buffer.alloc(128), Buffer.from('DICM')]), 'DICOM'],
    ['image-unsupported', Buffer.from('version https://git-lfs.github.com/spec/v1\n'), 'git lfs pull'],
    ['image-unsupported', Buffer.from('\0\x05\x16\x07\0\x02\0\0Mac OS X', 'latin1'), 'AppleDouble'],
    ['image-unsupported', Buffer.from('P6\n2 2\n255\n\0\0\0', 'latin1'), 'PPM'],
    [
      'image-unsupported',
      Buffer.from([0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 1, 240, 0, 24, 32, 1, 2]),
      'TGA',
    ],
  ])('%s: %s', async (code, bytes, named) => {
    await expect(open(bytes)).rejects.toMatchObject({ code, message: expect.stringContaining(named) });
  });
});

test.each([
  ['a lossless JPEG (SOF3)', 0xc3, 8],
  ['a JPEG-LS image (SOF55)', 0xf7, 8],
  ['a hierarchical JPEG (SOF5)', 0xc5, 8],
  ['a JPEG of 12 bits', 0xc1, 12],
])('%s is refused by its name, with what to do', async (name, marker, bits) => {
  const bytes = await corners().jpeg().toBuffer();
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  bytes[frame + 1] = marker;
  bytes[frame + 4] = bits;
  await expect(open(bytes)).rejects.toMatchObject({
    code: 'image-unsupported',
    message: `the image is ${name}, which is not supported; save it as an ordinary JPEG, or as PNG`,
  });
});

const encoders = {
  jpeg: () => corners().jpeg().toBuffer(),
  'progressive jpeg': () => corners().jpeg({ progressive: true }).toBuffer(),
  png: () => corners().png().toBuffer(),
  webp: () => corners().webp().toBuffer(),
  gif: () => corners().gif().toBuffer(),
  tiff: () => corners().tiff().toBuffer(),
  avif: () => corners().avif({ effort: 0 }).toBuffer(),
  heic: async () => cornersHeic,
} as const;

test.each(Object.entries(encoders))('a truncated %s is an error, not half an image', async (_kind, make) => {
  const bytes = await make();
  for (const share of [0.3, 0.6, 0.9]) {
    expect(await codeOf(bytes.subarray(0, Math.floor(bytes.length * share)))).toBe('image-corrupt');
  }
});

test('a TIFF whose directory leads out of the file is damaged', async () => {
  const bytes = await encoders.tiff();
  for (const offset of [11, 18, 24, 30, 172]) {
    bytes.writeUInt32LE(offset, 4);
    expect(await codeOf(bytes)).toMatch(/^image-/);
  }
});

describe('an image over the pixel limit is refused from its header', () => {
  const inTime = async (bytes: Uint8Array) => {
    const rssBefore = process.memoryUsage.rss();
    const before = process.cpuUsage();
    expect(await codeOf(bytes)).toBe('image-too-large');
    // CPU time, since a busy machine delays everything.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
    expect(process.memoryUsage.rss() - rssBefore).toBeLessThan(64 * 2 ** 20);
  };

  test('a PNG bomb of 361 megapixels', () => inTime(pngBomb(19_000, 19_000)));
  test('a JPEG that claims 65,000 x 65,000', async () => {
    const bytes = await encoders.jpeg();
    const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
    bytes.writeUInt16BE(65_000, frame + 5);
    bytes.writeUInt16BE(65_000, frame + 7);
    await inTime(bytes);
  });
  test('a GIF that claims 65,000 x 65,000', async () => {
    const bytes = await encoders.gif();
    const frame = bytes.indexOf(Buffer.from([0x2c, 0, 0, 0, 0]));
    for (const at of [6, 8, frame + 5, frame + 7]) bytes.writeUInt16LE(65_000, at);
    await inTime(bytes);
  });
  test('a TIFF that claims 60,000 x 60,000', async () => {
    const bytes = await encoders.tiff();
    const directory = bytes.readUInt32LE(4);
    for (let entry = 0; entry < bytes.readUInt16LE(directory); entry += 1) {
      const at = directory + 2 + 12 * entry;
      const tag = bytes.readUInt16LE(at);
      if (tag === 256 || tag === 257) bytes.writeUInt16LE(60_000, at + 8);
    }
    await inTime(bytes);
  });
  test.each([
    ['AVIF', encoders.avif],
    ['HEIC', encoders.heic],
  ])('a %s that claims 30,000 x 30,000', async (_kind, make) => {
    await inTime(claimingSize(await make(), 30_000, 30_000));
  });
  test('a BMP that claims 60,000 x 60,000', async () => {
    const bytes = Buffer.alloc(200);
    bytes.write('BM');
    bytes.writeUInt32LE(54, 10);
    bytes.writeUInt32LE(40, 14);
    bytes.writeInt32LE(60_000, 18);
    bytes.writeInt32LE(60_000, 22);
    bytes.writeUInt16LE(24, 28);
    await inTime(bytes);
  });
});

test.each([
  ['AVIF', encoders.avif],
  ['HEIC', encoders.heic],
])('a %s whose container states a false size within the limit does no harm', async (_kind, make) => {
  for (const [width, height] of [
    [1, 1],
    [5000, 5000],
    [97, 64],
  ] as const) {
    expect(['opened', 'image-corrupt']).toContain(await codeOf(claimingSize(await make(), width, height)));
  }
});

describe('a damaged image gives a documented error or an image, never anything else', () => {
  const documented = [
    'opened',
    ...['empty', 'unsupported', 'corrupt', 'too-large', 'too-complex'].map((word) => `image-${word}`),
  ];
  test.each(Object.entries(encoders))('%s', async (kind, make) => {
    const bytes = await make();
    const change = fc.record({
      at: fc.oneof(fc.nat(Math.min(127, bytes.length - 1)), fc.nat(bytes.length - 1)),
      value: fc.nat(255),
    });
    const run = async (changes: readonly { at: number; value: number }[], cut: number) => {
      const mutated = Buffer.from(bytes);
      for (const { at, value } of changes) mutated[at] = value;
      expect(documented).toContain(await codeOf(mutated.subarray(0, bytes.length - cut)));
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 6 }),
        fc.oneof(fc.constant(0), fc.nat(bytes.length)),
        run,
      ),
      { numRuns: kind === 'heic' || kind === 'avif' ? 40 : 150 },
    );
  });
});

/** Rewrites the image spatial extents (ispe) of an ISO image file. */
function claimingSize(bytes: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(bytes);
  for (let at = changed.indexOf('ispe'); at >= 0; at = changed.indexOf('ispe', at + 4)) {
    changed.writeUInt32BE(width, at + 8);
    changed.writeUInt32BE(height, at + 12);
  }
  return changed;
}

/** A valid PNG of black bits, tiny for its size. */
function pngBomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
