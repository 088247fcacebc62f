import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { EngineError } from '../../errors.js';
import { confineSharp } from '../confine-sharp.js';
import { identifyImage } from '../identify.js';
import { openImage } from '../open-image.js';
import { neededBytes } from './needed-bytes.js';
import { isRawTiff } from './raw-tiff.js';

const limits = { maxPixels: 1_000_000 };
beforeAll(confineSharp);

const drawn = (side = 64) =>
  sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });

async function pixelsOf(bytes: Buffer): Promise<Uint8Array> {
  const { width, height, raster } = await openImage({ kind: 'bytes', bytes }, { limits, detailPx: 1000 });
  return raster({ width, height });
}

function needed(bytes: Buffer): Uint8Array {
  return neededBytes(identifyImage(bytes), bytes, limits);
}

async function failureOf(bytes: Buffer): Promise<string> {
  const failure = await pixelsOf(bytes).then(
    () => 'none',
    (error: unknown) => error,
  );
  return failure instanceof EngineError ? `${failure.code}: ${failure.message}` : String(failure);
}

const repeat = (part: Buffer, times: number) => Buffer.alloc(part.length * times, part);
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('JPEG', () => {
  test('progressive ones as programs write them are accepted, byte by byte as they are', async () => {
    for (const options of [{ progressive: true }, { mozjpeg: true }, {}]) {
      const bytes = await drawn()
        .jpeg(options)
        .withExif({ IFD0: { Copyright: 'me' } })
        .toBuffer();
      expect(Buffer.compare(needed(bytes), bytes)).toBe(0);
      await expect(pixelsOf(bytes)).resolves.toBeDefined();
    }
  });

  test('too many scans are refused with the limit, for large images fewer', async () => {
    const bytes = await drawn(900).toColourspace('b-w').jpeg({ progressive: true }).toBuffer();
    const scans = (count: number) =>
      Buffer.concat([
        bytes.subarray(0, -2),
        repeat(hex('ffda 0008 01 0100 3f3f00 ff00'), count),
        hex('ffd9'),
      ]);
    expect(await failureOf(scans(1100))).toMatch(
      /^image-too-complex: the JPEG image has more than 1000 scans/,
    );
    const large = Buffer.from(bytes);
    large.writeUInt16BE(8000, large.indexOf(hex('ffc2')) + 5);
    large.writeUInt16BE(8000, large.indexOf(hex('ffc2')) + 7);
    const many = Buffer.concat([large.subarray(0, -2), repeat(hex('ffda 0008 01 0100 3f3f00 ff00'), 100)]);
    expect(() => neededBytes('jpeg', many, { maxPixels: 64_000_000 })).toThrow(/more than 50 scans/);
  });

  test('in CMYK half of the pixels are accepted', async () => {
    const bytes = await drawn(80).toColourspace('cmyk').jpeg().toBuffer();
    expect(() => neededBytes('jpeg', bytes, { maxPixels: 12_800 })).not.toThrow();
    expect(() => neededBytes('jpeg', bytes, { maxPixels: 12_000 })).toThrow(
      /80x80 are 6400, and at most 6000/,
    );
  });

  test.each(['fffe 0002', 'ffed 0002', 'ffdd 0004 0000'])(
    'two million segments %s are refused',
    async (segment) => {
      const bytes = await drawn().jpeg().toBuffer();
      const many = Buffer.concat([bytes.subarray(0, 2), repeat(hex(segment), 2_000_000), bytes.subarray(2)]);
      expect(await failureOf(many)).toMatch(/^image-too-complex: .* more than 4000 segments/);
    },
  );
});

describe('Exif whose directories lead to each other', () => {
  /** All entries but the first lead to the only directory, as Exif, GPS and interoperability. */
  const exif = Buffer.alloc(60_000);
  exif.write('II*\0\x08\0\0\0', 'latin1');
  const entries = Math.floor((exif.length - 22) / 12);
  exif.writeUInt16LE(entries, 8);
  for (let nth = 0; nth < entries; nth += 1) {
    const at = 10 + 12 * nth;
    exif.writeUInt16LE([0x8769, 0x8825, 0xa005][nth % 3] ?? 0, at);
    exif.writeUInt16LE(4, at + 2);
    exif.writeUInt32LE(1, at + 4);
    exif.writeUInt32LE(8, at + 8);
  }
  hex('1201 0300 01000000 06000000').copy(exif, 10);
  const segment = (...parts: readonly Buffer[]) => {
    const data = Buffer.concat(parts);
    return Buffer.concat([Buffer.from([0xff, 0xe1, (data.length + 2) >> 8, (data.length + 2) & 255]), data]);
  };
  const mark = Buffer.from('Exif\0\0');
  const wide = () => drawn().resize(40, 20, { fit: 'fill' });
  const chunk = (data: Buffer) => {
    const bytes = Buffer.alloc(12 + data.length);
    bytes.writeUInt32BE(data.length);
    bytes.write('eXIf', 4);
    data.copy(bytes, 8);
    bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
    return bytes;
  };
  const open = async (bytes: Buffer) => {
    const before = process.cpuUsage();
    const { width, height } = await openImage({ kind: 'bytes', bytes }, { limits, detailPx: 1000 });
    // Each would take 14 seconds.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
    return [width, height];
  };

  test('costs no time, and its orientation counts', async () => {
    const jpeg = await wide().jpeg().toBuffer();
    const png = await wide().png().toBuffer();
    const webp = await wide()
      .withExif({ IFD0: { Copyright: 'x'.repeat(59_900) } })
      .webp()
      .toBuffer();
    const at = webp.indexOf('EXIF') + 8;
    expect(webp.readUInt32LE(at - 4)).toBeLessThan(61_000);
    const chunkBytes = webp.readUInt32LE(at - 4);
    exif.copy(webp, at, 0, chunkBytes);
    for (const bytes of [
      Buffer.concat([jpeg.subarray(0, 2), segment(mark, exif), jpeg.subarray(2)]),
      Buffer.concat([png.subarray(0, 33), chunk(exif), png.subarray(33)]),
      webp,
    ]) {
      expect(await open(bytes)).toEqual([20, 40]);
    }
  });

  test('is left out of a JPEG where it begins otherwise, and of an AVIF', async () => {
    const jpeg = await wide().jpeg().toBuffer();
    const odd = segment(Buffer.from('ExifXX'), segment(mark, exif));
    expect(await open(Buffer.concat([jpeg.subarray(0, 2), odd, jpeg.subarray(2)]))).toEqual([40, 20]);
    const avif = await wide()
      .withExif({ IFD0: { Copyright: 'x'.repeat(59_900) } })
      .avif({ effort: 0 })
      .toBuffer();
    exif.copy(avif, avif.indexOf(Buffer.from('II*\0')), 0, 59_000);
    expect(await open(avif)).toEqual([40, 20]);
  });
});

test('a JPEG with a colour profile of 5 MiB is left without it', async () => {
  const bytes = await drawn().jpeg().toBuffer();
  const part = Buffer.concat([hex('ffe2ffff'), Buffer.from('ICC_PROFILE\0\x01\x50'), Buffer.alloc(65_519)]);
  const profile = (parts: number) =>
    Buffer.concat([bytes.subarray(0, 2), repeat(part, parts), bytes.subarray(2)]);
  expect(Buffer.compare(needed(profile(80)), bytes)).toBe(0);
  expect(needed(profile(3)).length).toBe(profile(3).length);
});

describe('PNG', () => {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length);
    head.write(type, 4, 'latin1');
    const end = Buffer.alloc(4);
    end.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), data])));
    return Buffer.concat([head, data, end]);
  };

  test('texts, frames and foreign chunks are left out; pixels, profile and orientation are the same', async () => {
    const bytes = await drawn()
      .withMetadata({ orientation: 6 })
      .withIccProfile('p3')
      .withExif({ IFD0: { Copyright: 'me' } })
      .png({ compressionLevel: 1 })
      .toBuffer();
    const more = ['zTXt', 'iTXt', 'tEXt', 'fdAT', 'prIv'].map((type, index) =>
      chunk(type, Buffer.alloc(index === 0 ? 70_000 : 500)),
    );
    const headEnd = 33;
    const many = Buffer.concat([
      bytes.subarray(0, headEnd),
      repeat(Buffer.concat(more), 200),
      bytes.subarray(headEnd),
    ]);
    expect(needed(many)).toEqual(needed(bytes));
    expect(needed(bytes).length).toBeLessThanOrEqual(bytes.length);
    expect(await pixelsOf(many)).toEqual(await pixelsOf(bytes));
  });

  test('compressed pixels behind the last row are refused, and incompressible ones are accepted', async () => {
    const { deflateSync } = await import('node:zlib');
    const noise = await drawn(300).raw().toBuffer();
    for (const options of [
      { compressionLevel: 0 },
      { compressionLevel: 9, progressive: true },
      { palette: true },
    ]) {
      for (const [width, height] of [
        [300, 300],
        [1, 90_000],
        [90_000, 1],
      ] as const) {
        const bytes = await sharp(noise, { raw: { width, height, channels: 3 } })
          .png(options)
          .toBuffer();
        expect(() => needed(bytes)).not.toThrow();
      }
    }
    const pixel = await drawn(1).png().toBuffer();
    const bomb = chunk('IDAT', deflateSync(Buffer.alloc(2 ** 27)));
    expect(await failureOf(Buffer.concat([pixel.subarray(0, -12), bomb, pixel.subarray(-12)]))).toMatch(
      /^image-too-complex: the PNG image has more than \d+ bytes of compressed pixels/,
    );
  });

  test('a million chunks of different names cost no more than their bytes', async () => {
    const bytes = await drawn().png().toBuffer();
    const names = Buffer.alloc(12_000_000);
    for (let nth = 0; nth < 1_000_000; nth += 1) names.writeUInt32LE(0x61616161 + nth, 12 * nth + 4);
    const before = process.cpuUsage();
    needed(Buffer.concat([bytes.subarray(0, 33), names, bytes.subarray(33)]));
    expect(process.cpuUsage(before).user).toBeLessThan(900_000);
  });

  test('a profile that inflates to more than any is left out', async () => {
    const bytes = await drawn().png({ compressionLevel: 1 }).toBuffer();
    const { deflateSync } = await import('node:zlib');
    const profile = Buffer.concat([Buffer.from('icc\0\0'), deflateSync(Buffer.alloc(2 ** 26))]);
    const bomb = Buffer.concat([bytes.subarray(0, 33), chunk('iCCP', profile), bytes.subarray(33)]);
    expect(needed(bomb)).toEqual(needed(bytes));
  });
});

test('of an animated GIF the first frame is left, without comments', async () => {
  const frames = await sharp(
    await Promise.all(['#f00', '#0f0', '#00f'].map((background) => solid(background).png().toBuffer())),
    { join: { animated: true } },
  )
    .gif()
    .toBuffer();
  const first = frames.subarray(0, -1);
  const many = Buffer.concat([
    first,
    repeat(Buffer.from('21fe0161002c00000000010001000002024401 00'.replace(' ', ''), 'hex'), 50_000),
    Buffer.from(';'),
  ]);
  expect(needed(many).length).toBeLessThan(frames.length);
  expect([...(await pixelsOf(many)).subarray(0, 3)]).toEqual([255, 0, 0]);
  const comments = Buffer.concat([
    frames.subarray(0, 13 + 3 * 2 ** ((frames[10] ?? 0) & 7) * 2 * ((frames[10] ?? 0) >> 7)),
    repeat(hex('21fe00'), 20_000),
  ]);
  expect(await failureOf(comments)).toMatch(/^image-too-complex: .* more than 10000 extensions/);
});

test('of an animated WebP of 80,000 frames the first one is answered, in milliseconds', async () => {
  const bytes = await sharp(
    await Promise.all(['#f00', '#0f0'].map((background) => solid(background).png().toBuffer())),
    { join: { animated: true } },
  )
    .webp({ lossless: true })
    .toBuffer();
  const frameAt = bytes.lastIndexOf('ANMF');
  const many = Buffer.concat([bytes, repeat(bytes.subarray(frameAt), 80_000)]);
  many.writeUInt32LE(many.length - 8, 4);
  const before = process.cpuUsage();
  expect([...(await pixelsOf(many)).subarray(0, 3)]).toEqual([255, 0, 0]);
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  expect(needed(many).length).toBeLessThan(bytes.length);
});

test('zeros behind a WebP are no chunks', async () => {
  const bytes = await drawn().webp({ lossless: true }).toBuffer();
  expect(await pixelsOf(Buffer.concat([bytes, Buffer.alloc(100_000)]))).toEqual(await pixelsOf(bytes));
});

test('the orientation of an animated WebP is that of its Exif, which stands behind the frames', async () => {
  const frames = await Promise.all(
    ['#f00', '#0f0', '#00f'].map((background) => solid(background).png().toBuffer()),
  );
  const bytes = await sharp(frames, { join: { animated: true } })
    .withMetadata({ orientation: 6 })
    .webp({ lossless: true })
    .toBuffer();
  expect(bytes.indexOf('EXIF')).toBeGreaterThan(bytes.lastIndexOf('ANMF'));
  const { width, height } = await openImage({ kind: 'bytes', bytes }, { limits, detailPx: 1000 });
  expect([width, height]).toEqual([10, 20]);
});

function solid(background: string) {
  return sharp({ create: { width: 20, height: 10, channels: 3, background } });
}

describe('TIFF', () => {
  const patch = (bytes: Buffer, tag: number, value: number, typeAndCount?: readonly [number, number]) => {
    const changed = Buffer.from(bytes);
    const at = bytes.readUInt32LE(4);
    for (let entry = at + 2; entry < at + 2 + 12 * bytes.readUInt16LE(at); entry += 12) {
      if (changed.readUInt16LE(entry) !== tag) continue;
      changed.writeUInt32LE(value, entry + 8);
      if (typeAndCount) {
        changed.writeUInt16LE(typeAndCount[0], entry + 2);
        changed.writeUInt32LE(typeAndCount[1], entry + 4);
      }
    }
    return changed;
  };
  let tiff: Buffer;
  beforeAll(async () => {
    tiff = await drawn().tiff({ compression: 'lzw' }).toBuffer();
  });

  test('what libtiff cannot decode is not supported, and named', async () => {
    expect(await failureOf(patch(tiff, 259, 50000))).toMatch(
      /^image-unsupported: .* compressed by Zstandard/,
    );
    expect(await failureOf(patch(tiff, 262, 8))).toMatch(/^image-unsupported: .* has CIELAB colours/);
    expect(await failureOf(patch(tiff, 259, 34925))).toMatch(/^image-unsupported: .* LZMA/);
    const grey = await drawn().greyscale().toColourspace('b-w').tiff({ compression: 'none' }).toBuffer();
    expect(await failureOf(patch(grey, 339, 3))).toMatch(/^image-unsupported: .* has floating-point samples/);
  });

  test('raw files of cameras are named, whatever their preview', async () => {
    const cr2 = Buffer.concat([Buffer.from('II*\0\x10\0\0\0CR\x02\0\0\0\0\0', 'latin1'), tiff]);
    for (const raw of [cr2, patch(tiff, 262, 32803), patch(tiff, 259, 34713)]) {
      expect(isRawTiff(raw)).toBe(true);
      expect(await failureOf(raw)).toMatch(
        /^image-unsupported: the file is a raw file of a camera: send its JPEG/,
      );
    }
    // A preview in the first directory, and the mosaic in another (NEF, ARW, DNG).
    const at = tiff.length;
    const sub = hex('0100 0601 0300 0100 0000 2380 0000 00000000');
    const withSub = Buffer.concat([patch(tiff, 274, at, [4, 1]), sub]);
    withSub.writeUInt16LE(330, withSub.indexOf(hex('1201 0400'), tiff.readUInt32LE(4)));
    expect(isRawTiff(withSub)).toBe(true);
    expect(isRawTiff(tiff)).toBe(false);
  });

  test('pixels that begin with the letters of Canon are an ordinary image', async () => {
    for (const bigtiff of [false, true]) {
      const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#435202' } })
        .tiff({ compression: 'none', bigtiff })
        .toBuffer();
      expect(isRawTiff(bytes)).toBe(false);
      expect((await pixelsOf(bytes)).subarray(0, 2)).toEqual(new Uint8Array(Buffer.from('CR')));
    }
  });

  test('directories behind the first one are cut off, also those in a circle', async () => {
    const at = tiff.readUInt32LE(4);
    const circle = Buffer.from(tiff);
    circle.writeUInt32LE(at, at + 2 + 12 * tiff.readUInt16LE(at));
    expect(Buffer.compare(needed(circle), tiff)).toBe(0);
    expect(await pixelsOf(circle)).toEqual(await pixelsOf(tiff));
  });

  test('tiles are counted as a whole, also where little of them is in the image', async () => {
    const tiled = await drawn(600)
      .tiff({ compression: 'deflate', tile: true, tileWidth: 512, tileHeight: 512 })
      .toBuffer();
    const sized = (width: number, height: number, tile: number) =>
      [
        [256, width],
        [257, height],
        [322, tile],
        [323, tile],
      ].reduce((bytes, [tag = 0, value = 0]) => patch(bytes, tag, value), tiled);
    await expect(pixelsOf(tiled)).resolves.toBeDefined();
    for (const [width, height] of [
      [1000, 1000],
      [1025, 900],
      [1, 1],
      [1900, 500],
    ] as const)
      expect(() => needed(sized(width, height, 512))).not.toThrow();
    expect(await failureOf(sized(16, 60_000, 4096))).toMatch(/^image-too-complex: .* pixels in its tiles/);
    expect(await failureOf(sized(60_000, 1, 2048))).toMatch(/^image-too-complex: .* pixels in its tiles/);
  });

  test.each([false, true])('a colour profile of 5 MiB is left out (BigTIFF: %s)', async (bigtiff) => {
    const plain = await drawn().tiff({ bigtiff, compression: 'none' }).toBuffer();
    const bytes = await drawn().withIccProfile('p3').tiff({ bigtiff, compression: 'none' }).toBuffer();
    const entry = bytes.indexOf(hex('7387 0700'));
    bytes.writeUInt32LE(5 * 2 ** 20, entry + 4);
    const left = Buffer.from(needed(bytes));
    expect(left.includes(hex('7387 0700'))).toBe(false);
    expect((await sharp(left).metadata()).icc).toBeUndefined();
    expect((await pixelsOf(bytes)).length).toBe((await pixelsOf(plain)).length);
  });

  test('texts that are read again and again cost no time', async () => {
    const at = tiff.readUInt32LE(4);
    const count = tiff.readUInt16LE(at);
    const own = tiff.subarray(at + 2, at + 2 + 12 * count);
    const texts = Buffer.alloc(12 * (900 - count));
    for (let nth = 0; nth < 900 - count; nth += 1) {
      texts.writeUInt16LE(40_000 + nth, 12 * nth);
      texts.writeUInt16LE(2, 12 * nth + 2);
      texts.writeUInt32LE(2 ** 23, 12 * nth + 4);
      texts.writeUInt32LE(8, 12 * nth + 8);
    }
    const head = Buffer.concat([tiff, Buffer.alloc(2 ** 23 + (tiff.length % 2), 'x')]);
    head.writeUInt32LE(head.length, 4);
    const bytes = Buffer.concat([head, hex('8403'), own, texts, Buffer.alloc(4)]);
    const before = process.cpuUsage();
    expect(Buffer.from(await pixelsOf(bytes)).equals(await pixelsOf(tiff))).toBe(true);
    // Read by libtiff they take 15 seconds.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });

  test('tiles of single colours are refused by their name', async () => {
    const tiles = await drawn().tiff({ tile: true, tileWidth: 16, tileHeight: 16 }).toBuffer();
    expect(await failureOf(patch(tiles, 284, 2))).toMatch(/^image-unsupported: .* tiles of single colours/);
  });

  test('too many strips, and pixels of too many bytes, are refused with the limit', async () => {
    expect(await failureOf(patch(tiff, 273, 8, [4, 100_000]))).toMatch(
      /^image-too-complex: .* 65536 strips or tiles/,
    );
    const wide = patch(patch(patch(tiff, 256, 1000), 257, 1000), 277, 200);
    expect(await failureOf(wide)).toMatch(/^image-too-complex: .* bytes of pixels/);
  });
});

describe('AVIF and HEIC', () => {
  const box = (type: string, ...content: readonly Buffer[]) => {
    const data = Buffer.concat(content);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + data.length);
    head.write(type, 4);
    return Buffer.concat([head, data]);
  };
  const number16 = (value: number) => Buffer.from([value >> 8, value & 255]);
  const number32 = (value: number) =>
    Buffer.from([value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]);
  let avif: Buffer;
  /** The primary item's number and data. */
  let id: number;
  let frame: Buffer;
  beforeAll(async () => {
    avif = await drawn().avif({ effort: 0 }).toBuffer();
    id = avif.readUInt16BE(avif.indexOf('pitm') + 8);
    frame = avif.subarray(avif.indexOf('mdat') + 4);
  });

  /** The AVIF with other data of its item, in a box within `meta`; `parts` are start and length. */
  const withData = (
    data: Buffer,
    parts: readonly (readonly [number, number])[],
    more: Buffer = Buffer.alloc(0),
    without: readonly string[] = [],
  ) => {
    const metaAt = avif.indexOf('meta') - 4;
    const children: Buffer[] = [];
    for (let at = metaAt + 12; at < metaAt + avif.readUInt32BE(metaAt); at += avif.readUInt32BE(at)) {
      children.push(avif.subarray(at, at + avif.readUInt32BE(at)));
    }
    const kept = children.filter((child) => !['iloc', ...without].includes(child.toString('latin1', 4, 8)));
    const extents = parts.map(([at, length]) => Buffer.concat([number32(at), number32(length)]));
    const locations = [
      hex('01000000 4400 0001'),
      number16(id),
      hex('0001 0000'),
      number16(parts.length),
      ...extents,
    ];
    return Buffer.concat([
      avif.subarray(0, metaAt),
      box('meta', Buffer.alloc(4), ...kept, box('iloc', ...locations), box('idat', data), more),
    ]);
  };

  test('a sequence (avis) answers its still image', async () => {
    const ftypBytes = avif.readUInt32BE(0);
    const ftyp = Buffer.from(avif.subarray(0, ftypBytes));
    ftyp.write('avis', 8);
    // Boxes before the data would move it; the film stands behind, its length in 32 or 64 bits.
    const film = box('moov', repeat(box('trak'), 50_000));
    const long = Buffer.concat([hex('00000001'), Buffer.from('moov'), Buffer.alloc(8), film.subarray(8)]);
    long.writeBigUInt64BE(BigInt(long.length), 8);
    for (const moov of [film, long]) {
      const sequence = Buffer.concat([ftyp, avif.subarray(ftypBytes), moov]);
      expect(await pixelsOf(sequence)).toEqual(await pixelsOf(avif));
      expect(needed(sequence).length).toBe(sequence.length);
      expect(Buffer.from(needed(sequence)).subarray(avif.length).toString('latin1')).toBe(
        moov.toString('latin1').replace('moov', 'free'),
      );
    }
    expect(await failureOf(Buffer.concat([ftyp, box('moov')]))).toMatch(/^image-unsupported: .* sequence/);
  });

  test('nested and endless boxes are refused', async () => {
    let nested = box('free');
    for (let depth = 0; depth < 50; depth += 1) nested = box('iprp', nested);
    const meta = (...children: readonly Buffer[]) =>
      Buffer.concat([avif, box('meta', Buffer.alloc(4), ...children)]);
    expect(await failureOf(meta(nested))).toMatch(/^image-too-complex: .* more than 10 levels/);
    expect(await failureOf(meta(repeat(box('free'), 20_000)))).toMatch(
      /^image-too-complex: .* more than 10000 boxes/,
    );
  });

  test('an image composed of many large ones, or of itself, is refused', async () => {
    const reference = (from: number, to: number, count: number) => {
      const list = Buffer.alloc(4 + 2 * count);
      list.writeUInt16BE(from);
      list.writeUInt16BE(count, 2);
      for (let nth = 0; nth < count; nth += 1) list.writeUInt16BE(to, 4 + 2 * nth);
      return withData(frame, [[0, frame.length]], box('iref', Buffer.alloc(4), box('dimg', list)));
    };
    expect(await failureOf(reference(77, id, 3000))).toMatch(/^image-too-complex: .* that it is composed of/);
    expect(await failureOf(reference(77, 77, 1))).toMatch(/^image-too-complex: .* that it is composed of/);
    expect(await failureOf(reference(77, id, 9000))).toMatch(/^image-too-complex: .* 4000 references/);
  });

  test('data within the box of items is decoded, its parts in any number', async () => {
    const pixels = await pixelsOf(avif);
    expect(await pixelsOf(withData(frame, [[0, frame.length]]))).toEqual(pixels);
    const parts = [
      ...Array.from({ length: 20 }, (_, at) => [at, 1] as const),
      [20, frame.length - 20] as const,
    ];
    expect(await pixelsOf(withData(frame, parts))).toEqual(pixels);
  });

  test('frames are counted wherever the data of an item is, over all its parts', async () => {
    const frames = repeat(frame, 40);
    const limit = /^image-too-complex: .* more than 16 frames/;
    expect(await failureOf(withData(frames, [[0, frames.length]]))).toMatch(limit);
    expect(
      await failureOf(
        withData(frames, [
          [0, 1],
          [1, frames.length - 1],
        ]),
      ),
    ).toMatch(limit);
  });

  test('frames of a large image have fewer', async () => {
    const frames = repeat(frame, 9);
    const bytes = withData(frames, [[0, frames.length]]);
    expect(() => needed(bytes)).not.toThrow();
    const size = bytes.indexOf('ispe') + 8;
    bytes.writeUInt32BE(500, size);
    bytes.writeUInt32BE(500, size + 4);
    expect(await failureOf(bytes)).toMatch(
      /^image-too-complex: .* more than 2000000 pixels in the frames of one item/,
    );
    expect(() => neededBytes('avif', bytes, { maxPixels: 1_125_000 })).not.toThrow();
  });

  test('a file that can be read in two ways is refused', async () => {
    const whole = [[0, frame.length]] as const;
    const entry = (type: string) =>
      box('infe', hex('02000000'), number16(id), hex('0000'), Buffer.from(`${type}\0`));
    const list = box('iinf', hex('00000000 0001'), entry('Exif'));
    const twice = box('iinf', hex('00000000 0002'), entry('av01'), entry('Exif'));
    for (const bytes of [
      withData(frame, whole, list),
      Buffer.concat([withData(frame, whole), box('meta', Buffer.alloc(4))]),
      withData(frame, whole, box('idat', frame)),
      withData(frame, whole, box('iloc', Buffer.alloc(8))),
    ]) {
      expect(await failureOf(bytes)).toMatch(/^image-corrupt: .* several boxes/);
    }
    expect(await failureOf(withData(frame, whole, twice, ['iinf']))).toMatch(
      /^image-corrupt: .* several entries for one item/,
    );
  });

  test('a colour profile of 5 MiB is left out, in its place', async () => {
    const profile = box('colr', Buffer.from('prof'), Buffer.alloc(5 * 2 ** 20));
    const bytes = withData(frame, [[0, frame.length]], box('iprp', box('ipco', profile)));
    const left = Buffer.from(needed(bytes));
    expect(left.length).toBe(bytes.length);
    expect(left.includes(profile.subarray(0, 12))).toBe(false);
    expect(await pixelsOf(withData(frame, [[0, frame.length]]))).toEqual(await pixelsOf(avif));
  });

  test('many frames in one item are refused', async () => {
    const extentAt = avif.length;
    const frames = repeat(hex('32 00'), 40);
    const changed = Buffer.concat([avif, frames]);
    const iloc = changed.indexOf('iloc') + 4;
    const version = changed[iloc] ?? 0;
    const baseBytes = (changed[iloc + 5] ?? 0) >> 4;
    const offsetAt = iloc + 14 + (version > 0 ? 2 : 0) + baseBytes;
    const base = baseBytes === 0 ? 0 : changed.readUIntBE(iloc + 12, baseBytes);
    changed.writeUInt32BE(extentAt - base, offsetAt);
    changed.writeUInt32BE(frames.length, offsetAt + 4);
    expect(await failureOf(changed)).toMatch(/^image-too-complex: .* more than 16 frames/);
  });
});

test('runs of a BMP past its edge cost nothing', async () => {
  const { runLengthBmp } = await import('../fixtures/run-length-bmp.js');
  const bmp = runLengthBmp(100, 100);
  const long = Buffer.concat([bmp.subarray(0, 54 + 1024), repeat(hex('ff01'), 8_000_000), hex('0001')]);
  const before = process.cpuUsage();
  await pixelsOf(long);
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});
