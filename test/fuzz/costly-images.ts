import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { cornersHeic } from '#engine/image/fixtures/corners.js';
import { runLengthBmp } from '#engine/image/fixtures/run-length-bmp.js';
import { box, type Parts, pngChunk } from './costly-parts.js';
import { avifFrameParts, pngRowParts, tiffTileParts } from './costly-surplus.js';

export type CostlyFormat =
  | 'jpeg'
  | 'png'
  | 'rows of a png'
  | 'gif'
  | 'webp'
  | 'tiff'
  | 'tiles of a tiff'
  | 'avif'
  | 'frames of an avif'
  | 'heic'
  | 'bmp';

/** Parts of images of this side, in pixels, of every accepted format. */
export async function partsOfImages(side: number): Promise<Readonly<Record<CostlyFormat, Parts>>> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const drawn = () =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#888', noise } });
  return {
    jpeg: jpegParts(await drawn().jpeg({ progressive: true, quality: 60 }).toBuffer()),
    png: pngParts(await drawn().png({ compressionLevel: 1 }).toBuffer()),
    'rows of a png': pngRowParts(
      await sharp(await drawn().png().toBuffer())
        .resize(16, 16)
        .png()
        .toBuffer(),
    ),
    gif: gifParts(await drawn().gif({ effort: 1 }).toBuffer()),
    webp: webpParts(await drawn().webp({ effort: 0 }).toBuffer(), side),
    tiff: tiffParts(await drawn().tiff({ compression: 'lzw' }).toBuffer()),
    'tiles of a tiff': tiffTileParts(),
    'frames of an avif': avifFrameParts(await drawn().avif({ effort: 0, quality: 30 }).toBuffer()),
    avif: isoParts(await drawn().avif({ effort: 0, quality: 30 }).toBuffer()),
    heic: isoParts(cornersHeic),
    bmp: bmpParts(side),
  };
}

interface Edit {
  readonly at: number;
  readonly part: number;
  readonly isCostly: boolean;
  readonly times: number;
}

/** Some parts are repeated, up to 130,000 times, and stand anywhere. */
export const edits: fc.Arbitrary<readonly Edit[]> = fc.noBias(
  fc.array(
    fc.record({
      at: fc.nat({ max: 1000 }).map((thousandths) => thousandths / 1000),
      part: fc.nat({ max: 1000 }),
      isCostly: fc.boolean(),
      times: fc.nat({ max: 170 }).map((power) => Math.round(2 ** (power / 10))),
    }),
    { minLength: 1, maxLength: 3 },
  ),
);

const maxCostlyBytes = 4 * 2 ** 20;

/** @returns at most about `maxCostlyBytes` */
export function apply(format: Parts, changes: readonly Edit[]): Buffer {
  let parts = [...format.parts];
  for (const { at, part, isCostly, times } of changes) {
    const from = isCostly ? format.costly : format.parts;
    const repeated = from[part % from.length] ?? Buffer.alloc(0);
    const most = Math.ceil(maxCostlyBytes / changes.length / Math.max(1, repeated.length));
    // The first part is the signature.
    const place = 1 + Math.floor(at * parts.length);
    parts = [
      ...parts.slice(0, place),
      ...Array.from({ length: Math.min(times, most) }, () => repeated),
      ...parts.slice(place),
    ];
  }
  return format.join(parts);
}

function jpegParts(bytes: Buffer): Parts {
  const parts = [bytes.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= bytes.length) {
    let end = at + 2 + bytes.readUInt16BE(at + 2);
    // A scan goes to the next marker that is neither a stuffed zero nor a restart.
    if (bytes[at + 1] === 0xda) {
      while (end < bytes.length && !(bytes[end] === 0xff && isMarker(bytes[end + 1] ?? 0))) end += 1;
    }
    parts.push(bytes.subarray(at, end));
    at = end;
    if (bytes[at + 1] === 0xd9) break;
  }
  parts.push(Buffer.from('ffd9', 'hex'));
  const segment = (marker: number, data: Buffer) =>
    Buffer.concat([Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255]), data]);
  return {
    parts,
    costly: [
      segment(0xfe, Buffer.alloc(0)),
      segment(0xe1, Buffer.alloc(0)),
      segment(0xed, Buffer.from('Photoshop 3.0\0')),
      segment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01')),
      segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(5000)])),
      segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), loopingExif(5000)])),
      segment(0xdd, Buffer.from([0, 1])),
      Buffer.from('ffd0', 'hex'),
      // A scan of one coefficient of the first component, all zero, and a refinement of it.
      Buffer.from('ffda00080101003f3f00ff00', 'hex'),
      Buffer.from('ffda00080101003f3f1000', 'hex'),
    ],
    join: (all) => Buffer.concat(all),
  };
}

function isMarker(byte: number): boolean {
  return byte !== 0 && !(byte >= 0xd0 && byte <= 0xd7);
}

function pngParts(bytes: Buffer): Parts {
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    parts.push(bytes.subarray(at, end));
    at = end;
  }
  const bomb = deflateSync(Buffer.alloc(8 * 2 ** 20, 'a'));
  const named = (...rest: (string | Buffer)[]) => Buffer.concat(rest.map((part) => Buffer.from(part)));
  return {
    parts,
    costly: [
      pngChunk('zTXt', named('Comment\0\0', bomb)),
      pngChunk('iTXt', named('Comment\0\x01\0\0\0', bomb)),
      pngChunk('tEXt', named('a\0b')),
      pngChunk('tEXt', named('Comment\0', Buffer.alloc(60_000, 'x'))),
      pngChunk('iCCP', named('icc\0\0', bomb)),
      pngChunk('eXIf', exif(5000)),
      pngChunk('eXIf', loopingExif(5000)),
      pngChunk('sPLT', named('p\0\x08', Buffer.alloc(6000))),
      pngChunk('IDAT', Buffer.alloc(0)),
      pngChunk('acTL', Buffer.from([0, 1, 0, 0, 0, 0, 0, 0])),
      pngChunk('fdAT', Buffer.alloc(4)),
      pngChunk('prIv', Buffer.alloc(1)),
    ],
    join: (all) => Buffer.concat(all),
  };
}

function gifParts(bytes: Buffer): Parts {
  const palette = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + palette(bytes[10] ?? 0);
  const parts = [bytes.subarray(0, at)];
  while (at < bytes.length) {
    const start = at;
    if (bytes[at] === 0x21) at += 2;
    else if (bytes[at] === 0x2c) at += 11 + palette(bytes[at + 9] ?? 0);
    else break;
    while (bytes[at]) at += 1 + (bytes[at] ?? 0);
    at += 1;
    parts.push(bytes.subarray(start, at));
  }
  parts.push(Buffer.from([0x3b]));
  return {
    parts,
    costly: [
      Buffer.from('21fe00', 'hex'),
      Buffer.from('21fe0161 00'.replace(' ', ''), 'hex'),
      Buffer.from('21ff0b4e45545343415045322e30030100000 0'.replace(' ', ''), 'hex'),
      Buffer.from('21f904010100ff00', 'hex'),
      // A frame of one pixel.
      Buffer.from('2c0000000001000100000202440100', 'hex'),
    ],
    join: (all) => Buffer.concat(all),
  };
}

function riffChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(8 + data.length + (data.length % 2));
  chunk.write(type, 'latin1');
  chunk.writeUInt32LE(data.length, 4);
  data.copy(chunk, 8);
  return chunk;
}

function webpParts(bytes: Buffer, side: number): Parts {
  const still = bytes.subarray(12);
  const head = Buffer.alloc(10);
  head[0] = 0x02 | 0x08 | 0x20;
  head.writeUIntLE(side - 1, 4, 3);
  head.writeUIntLE(side - 1, 7, 3);
  const frame = Buffer.alloc(16);
  frame.writeUIntLE(side - 1, 6, 3);
  frame.writeUIntLE(side - 1, 9, 3);
  const animated = riffChunk('ANMF', Buffer.concat([frame, still]));
  return {
    parts: [riffChunk('VP8X', head), riffChunk('ANIM', Buffer.alloc(6)), animated],
    costly: [
      riffChunk('ANMF', frame),
      riffChunk(
        'ANMF',
        Buffer.concat([
          frame,
          Buffer.concat(Array.from({ length: 2000 }, () => riffChunk('prIv', Buffer.alloc(0)))),
        ]),
      ),
      riffChunk('ICCP', Buffer.alloc(100_000)),
      riffChunk('EXIF', exif(5000)),
      riffChunk('EXIF', loopingExif(5000)),
      riffChunk('XMP ', Buffer.alloc(50_000, 'x')),
      riffChunk('prIv', Buffer.alloc(0)),
      still,
    ],
    join(all) {
      const body = Buffer.concat([Buffer.from('WEBP'), ...all]);
      const riff = Buffer.from('RIFF\0\0\0\0');
      riff.writeUInt32LE(body.length, 4);
      return Buffer.concat([riff, body]);
    },
  };
}

/** The parts are the entries of the directory; what a part lacks of an entry is the number of its strips. */
function tiffParts(bytes: Buffer): Parts {
  const at = bytes.readUInt32LE(4);
  const count = bytes.readUInt16LE(at);
  const entry = (tag: number, type: number, values: number, value: number) => {
    const made = Buffer.alloc(12);
    made.writeUInt16LE(tag, 0);
    made.writeUInt16LE(type, 2);
    made.writeUInt32LE(values, 4);
    made.writeUInt32LE(value, 8);
    return made;
  };
  const whole = bytes.length;
  return {
    parts: Array.from({ length: count }, (_, nth) => bytes.subarray(at + 2 + nth * 12, at + 14 + nth * 12)),
    costly: [
      entry(65_001, 4, 1, 7),
      entry(65_002, 2, Math.floor(whole / 2), 8),
      entry(330, 4, 1000, 8),
      entry(34665, 4, 1, at),
      entry(700, 7, whole - 8, 8),
      entry(34675, 7, whole - 8, 8),
      // Directories behind this one; not an entry that is read.
      entry(0, 0, 0, 0),
    ],
    join(all) {
      const chained = all.filter((part) => part.readUInt32LE(0) === 0).length;
      const entries = all.filter((part) => part.readUInt32LE(0) !== 0).slice(0, 65_535);
      const sorted = entries.toSorted((a, b) => a.readUInt16LE(0) - b.readUInt16LE(0));
      const base = bytes.length + (bytes.length % 2);
      const first = Buffer.alloc(2 + 12 * sorted.length + 4);
      first.writeUInt16LE(sorted.length);
      Buffer.concat(sorted).copy(first, 2);
      const chainAt = base + first.length;
      if (chained > 0) first.writeUInt32LE(chainAt, first.length - 4);
      const chain = Buffer.alloc(chained * 18);
      for (let nth = 0; nth < chained; nth += 1) {
        chain.writeUInt16LE(1, nth * 18);
        entry(256, 4, 1, 1).copy(chain, nth * 18 + 2);
        if (nth + 1 < chained) chain.writeUInt32LE(chainAt + (nth + 1) * 18, nth * 18 + 14);
      }
      const image = Buffer.from(Buffer.concat([bytes, Buffer.alloc(base - bytes.length)]));
      image.writeUInt32LE(base, 4);
      return Buffer.concat([image, first, chain]);
    },
  };
}

/** The parts are the boxes within `meta`; what stands before and behind it keeps its place in the file. */
function isoParts(bytes: Buffer): Parts {
  const boxesFrom = (start: number, end: number) => {
    const boxes: Buffer[] = [];
    for (let at = start; at + 8 <= end; at += Math.max(8, bytes.readUInt32BE(at))) {
      boxes.push(bytes.subarray(at, Math.min(end, at + bytes.readUInt32BE(at))));
    }
    return boxes;
  };
  const top = boxesFrom(0, bytes.length);
  const meta = top.find((each) => each.toString('latin1', 4, 8) === 'meta') ?? Buffer.alloc(0);
  const metaAt = meta.byteOffset - bytes.byteOffset;
  let nested = box('free');
  for (let depth = 0; depth < 2000; depth += 1) nested = box('iprp', nested);
  const references = Buffer.concat(Array.from({ length: 60_000 }, () => Buffer.from([0, 1])));
  const loop = Buffer.concat([Buffer.alloc(4), box('dimg', Buffer.from([0, 1, 0xea, 0x60]), references)]);
  return {
    parts: boxesFrom(metaAt + 12, metaAt + meta.length),
    costly: [
      box('free'),
      nested,
      box('iref', loop),
      box('iinf', Buffer.alloc(6), box('infe', Buffer.from([2, 0, 0, 0, 0, 9, 0, 0]), Buffer.from('grid\0'))),
      box('ipma', Buffer.from([0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]), Buffer.alloc(30_000, 1)),
      box('iloc', Buffer.from([1, 0, 0, 0, 0x44, 0, 0xff, 0xff]), Buffer.alloc(60_000, 1)),
    ],
    join(all) {
      // Offsets in the file stay as they are: the old box becomes a free one, and the new one stands at the end.
      const old = Buffer.from(bytes);
      old.write('free', metaAt + 4, 'latin1');
      return Buffer.concat([old, box('meta', Buffer.concat([Buffer.alloc(4), ...all]))]);
    },
  };
}

/** The parts are runs of RLE8, which may go past the edge. */
function bmpParts(side: number): Parts {
  const bytes = runLengthBmp(side, side);
  const head = bytes.subarray(0, 54 + 1024);
  return {
    parts: [head, bytes.subarray(head.length)],
    costly: [
      Buffer.from([255, 1]),
      Buffer.from([0, 0]),
      Buffer.from([0, 2, 255, 0]),
      Buffer.from([0, 255, ...Buffer.alloc(256)]),
    ],
    join: (all) => Buffer.concat(all),
  };
}

/** Exif of one directory with so many entries, each a text elsewhere in it. */
function exif(entries: number): Buffer {
  const bytes = Buffer.alloc(8 + 2 + 12 * entries + 4);
  bytes.write('II*\0\x08\0\0\0', 'latin1');
  bytes.writeUInt16LE(entries, 8);
  for (let nth = 0; nth < entries; nth += 1) {
    const at = 10 + 12 * nth;
    bytes.writeUInt16LE(0x8298, at);
    bytes.writeUInt16LE(2, at + 2);
    bytes.writeUInt32LE(Math.floor(bytes.length / 2), at + 4);
    bytes.writeUInt32LE(8, at + 8);
  }
  return bytes;
}

/** The same with entries that lead to its directory. */
function loopingExif(entries: number): Buffer {
  const bytes = exif(entries);
  for (let nth = 0; nth < entries; nth += 1) {
    const at = 10 + 12 * nth;
    bytes.writeUInt16LE([0x8769, 0x8825, 0xa005][nth % 3] ?? 0, at);
    bytes.writeUInt16LE(4, at + 2);
    bytes.writeUInt32LE(1, at + 4);
  }
  return bytes;
}
