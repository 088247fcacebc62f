import { EngineError } from '../../errors.js';
import type { ImageLimits } from '../image.js';
import { checkPixels } from '../pixels.js';
import { bounds, checkCmyk, refuseAbove } from './bounds.js';
import { neededOfExif, startsAsExif } from './exif.js';
import { type Range, withoutRanges } from './ranges.js';

/**
 * A JPEG (ITU-T T.81, annex B), without a colour profile and Exif above their bounds; checked up to its end mark. Metadata costs libjpeg a search
 * for each segment, and each scan of a progressive image passes over all pixels, however short it is.
 */
export function neededOfJpeg(bytes: Buffer, limits: ImageLimits): Buffer {
  const profile: Range[] = [];
  const exif: { readonly at: number; readonly block: Buffer }[] = [];
  let segments = 0;
  let scans = 0;
  let pixels = 0;
  let at = 2;
  for (;;) {
    // Decoders skip what is between segments.
    at = bytes.indexOf(0xff, at);
    if (at < 0 || at + 4 > bytes.length) break;
    const marker = bytes[at + 1] ?? 0;
    if (!hasLength(marker)) {
      if (marker === endOfImage) break;
      // A fill byte may be the first of a marker.
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    segments += 1;
    if (segments > bounds.jpegSegments) throw refuseAbove('JPEG', 'segments', bounds.jpegSegments);
    if (isFrame(marker) && at + 10 <= bytes.length) {
      // Damaged pixels may hold any marker.
      if (scans === 0) checkProcess(marker, bytes[at + 4] ?? 8);
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      checkPixels(Math.max(1, width), Math.max(1, height), limits);
      pixels = Math.max(pixels, width * height);
      if (bytes[at + 9] === 4) checkCmyk(width, height, limits);
    }
    if (marker === startOfScan) {
      scans += 1;
      const most = Math.min(bounds.jpegScans, Math.floor(bounds.jpegScanPixels / Math.max(1, pixels)));
      if (scans > most) throw refuseAbove('JPEG', 'scans', most);
    }
    const end = at + 2 + Math.max(2, bytes.readUInt16BE(at + 2));
    if (marker === profileSegment && bytes.toString('latin1', at + 4, at + 15) === 'ICC_PROFILE') {
      profile.push({ from: at, to: Math.min(end, bytes.length) });
    }
    if (marker === exifSegment && bytes.toString('latin1', at + 4, at + 8) === 'Exif') {
      const block = bytes.subarray(at + 4, end);
      // libexif searches a block for its start that begins otherwise.
      const needed = startsAsExif(block) ? neededOfExif(block) : Buffer.alloc(block.length);
      if (needed !== block) exif.push({ at: at + 4, block: needed });
    }
    at = end;
  }
  const changed = exif.length === 0 ? bytes : Buffer.from(bytes);
  for (const { at, block } of exif) block.copy(changed, at);
  const profileBytes = profile.reduce((sum, { from, to }) => sum + (to - from), 0);
  return profileBytes > bounds.profileBytes ? withoutRanges(changed, profile) : changed;
}

const exifSegment = 0xe1;
const profileSegment = 0xe2;
const startOfScan = 0xda;
const endOfImage = 0xd9;

/** Stuffed zeros, restart marks, TEM, and the start and end of an image are bare markers. */
function hasLength(marker: number): boolean {
  return marker > 0x01 && marker !== 0xff && !(marker >= 0xd0 && marker <= endOfImage);
}

const jpegLs = 0xf7;

/** Start of frame of any process: 0xc4, 0xc8 and 0xcc are tables and reserved. */
function isFrame(marker: number): boolean {
  return marker === jpegLs || (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker));
}

/** Refuses by its name what libjpeg does not decode. */
function checkProcess(marker: number, bits: number): void {
  const name =
    marker === jpegLs
      ? 'a JPEG-LS image (SOF55)'
      : [0xc3, 0xcb].includes(marker)
        ? `a lossless JPEG (SOF${marker - 0xc0})`
        : [0xc5, 0xc6, 0xc7, 0xcd, 0xce, 0xcf].includes(marker)
          ? `a hierarchical JPEG (SOF${marker - 0xc0})`
          : bits !== 8
            ? `a JPEG of ${bits} bits`
            : undefined;
  if (name === undefined) return;
  throw new EngineError(
    'image-unsupported',
    `the image is ${name}, which is not supported; save it as an ordinary JPEG, or as PNG`,
  );
}
