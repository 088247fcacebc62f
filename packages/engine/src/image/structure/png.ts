import { crc32, inflateSync } from 'node:zlib';
import type { ImageLimits } from '../image.js';
import { checkPixels } from '../pixels.js';
import { bounds, checkSampleBytes, refuseAbove } from './bounds.js';
import { neededOfExif } from './exif.js';
import { joinRanges, type Range } from './ranges.js';

/** Chunks that decide the pixels, beside IDAT; all others, such as texts and the frames of an animation, are left out. */
const keptTypes = new Set([
  'IHDR',
  'PLTE',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'sBIT',
  'bKGD',
  'pHYs',
  'cICP',
  'iCCP',
  'eXIf',
  'IEND',
]);

/** Channels by colour type: grey, RGB, palette, grey and RGB with alpha. */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * A PNG (W3C) without its metadata: libpng inflates each text, and each costs a search through those before. Of profile and
 * Exif the first is kept, within its bound; without the profile colours are sRGB. More compressed pixels than the image can need are
 * refused: libpng inflates what follows the last row, to its end.
 */
export function neededOfPng(bytes: Buffer, limits: ImageLimits): Buffer {
  const ranges: Range[] = [{ from: 0, to: 8 }];
  const seen = new Set<string>();
  let pixelChunks = 0;
  let pixelBytes = 0;
  let mostPixelBytes: number = bounds.pngSpareBytes;
  let exif: Buffer | undefined;
  let at = 8;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 12 + length;
    if (type === 'IHDR' && !seen.has(type) && end <= bytes.length && length >= 13) {
      const [width, height] = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
      checkPixels(width, height, limits);
      const bits = (bytes[at + 16] ?? 0) * (channels[bytes[at + 17] ?? 0] ?? 1);
      checkSampleBytes('PNG', (width * height * bits) / 8, limits);
      mostPixelBytes = maxDeflatedBytes(width, height, bits);
    }
    if (type === 'IDAT') {
      pixelChunks += 1;
      if (pixelChunks > bounds.pngPixelChunks) throw refuseAbove('PNG', 'IDAT chunks', bounds.pngPixelChunks);
      pixelBytes += Math.min(length, bytes.length - at);
      if (pixelBytes > mostPixelBytes) throw refuseAbove('PNG', 'bytes of compressed pixels', mostPixelBytes);
      ranges.push({ from: at, to: Math.min(end, bytes.length) });
    } else if (keptTypes.has(type) && !seen.has(type)) {
      seen.add(type);
      const data = bytes.subarray(at + 8, end - 4);
      const needed = type === 'eXIf' && data.length <= bounds.exifBytes ? neededOfExif(data) : data;
      if (needed !== data) exif = pngChunk(type, needed);
      else if (isSmall(type, data)) ranges.push({ from: at, to: Math.min(end, bytes.length) });
    }
    if (type === 'IEND') break;
    at = end;
  }
  const kept = joinRanges(bytes, ranges);
  return exif ? Buffer.concat([kept.subarray(0, headEnd), exif, kept.subarray(headEnd)]) : kept;
}

/** Of signature and IHDR, which stands first. */
const headEnd = 33;

function pngChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(type, 4, 'latin1');
  const end = Buffer.alloc(4);
  end.writeUInt32BE(crc32(data, crc32(head.subarray(4))));
  return Buffer.concat([head, data, end]);
}

/**
 * Bytes that the pixels have at most when they are compressed: rows with a byte each for their filter, seven times for interlaced ones,
 * in blocks that are stored as they are, or by a fixed code of at most nine bits a byte.
 */
function maxDeflatedBytes(width: number, height: number, bits: number): number {
  const rows = height * Math.ceil((width * bits) / 8) + 8 * (width + height);
  return Math.ceil(rows * 1.125) + bounds.pngSpareBytes;
}

function isSmall(type: string, data: Buffer): boolean {
  if (type === 'iCCP') return isProfileSmall(data);
  return type !== 'eXIf' || data.length <= bounds.exifBytes;
}

/** A name, a zero, the method, and deflated bytes. */
function isProfileSmall(data: Buffer): boolean {
  const nameEnd = data.indexOf(0);
  if (nameEnd < 0) return false;
  try {
    inflateSync(data.subarray(nameEnd + 2), { maxOutputLength: bounds.profileBytes });
    return true;
  } catch {
    return false;
  }
}
