import { EngineError } from '../../errors.js';
import type { ImageLimits } from '../image.js';
import { bounds, refuseAbove } from './bounds.js';
import { countFrames } from './coded-frames.js';
import { type Box, readBoxes } from './iso-boxes.js';
import { type IsoItems, readItems } from './iso-items.js';

const format = 'AVIF or HEIC';

/**
 * Checks the boxes and items of an AVIF or HEIC. Of a sequence (`avis`) its still image is left, which is its first frame
 * or its cover: the decoder refuses files that call themselves a sequence, and would read the whole table of frames.
 */
export function neededOfIso(bytes: Buffer, limits: ImageLimits): Buffer {
  const boxes = readBoxes(bytes);
  const items = readItems(bytes, boxes);
  checkReferences(items, countAllFrames(bytes, items), limits);
  const hasFilm = boxes.some(({ type }) => type === 'moov');
  if (hasFilm && !boxes.some(({ type }) => type === 'meta')) {
    throw new EngineError(
      'image-unsupported',
      `the ${format} file is a sequence without a still image, which is not supported: send one frame as an image`,
    );
  }
  const left = withoutExif(withoutProfiles(bytes, boxes), boxes);
  return hasFilm ? withoutFilm(left, boxes) : left;
}

/** Coded frames of each item that has some. */
function countAllFrames(bytes: Buffer, { types, extents }: IsoItems): ReadonlyMap<number, number> {
  const sum = [...extents.values()].flat().reduce((all, { from, to }) => all + (to - from), 0);
  // Items may share some data, such as the tiles of an image of one colour.
  if (sum > 4 * bytes.length) throw refuseAbove(format, 'bytes of items', 4 * bytes.length);
  const frames = new Map<number, number>();
  for (const [item, ranges] of extents) {
    // Decoders join the parts of an item before they look for frames.
    const count = countFrames(
      types.get(item),
      () => Buffer.concat(ranges.map(({ from, to }) => bytes.subarray(from, to))),
      bounds.isoFrames,
    );
    if (count > bounds.isoFrames) throw refuseAbove(format, 'frames in one item', bounds.isoFrames);
    if (count > 0) frames.set(item, count);
  }
  return frames;
}

function checkReferences(
  { types, pixels, references }: IsoItems,
  frames: ReadonlyMap<number, number>,
  { maxPixels }: ImageLimits,
): void {
  const total = references.reduce((sum, { to }) => sum + to.length, 0);
  if (total > bounds.isoReferences) throw refuseAbove(format, 'references', bounds.isoReferences);
  const partsOf = new Map<number, number[]>();
  for (const { type, from, to } of references) {
    if (type === 'dimg') partsOf.set(from, [...(partsOf.get(from) ?? []), ...to]);
  }
  const most = maxPixels * bounds.isoComposedImages;
  const known = new Map<number, number>();
  /** Pixels that are decoded for an item: those of all its frames, or of all images that it is composed of. */
  const cost = (item: number): number => {
    const before = known.get(item);
    if (before !== undefined) return before;
    // An item that is composed of itself has no end.
    known.set(item, Number.POSITIVE_INFINITY);
    const own = (pixels.get(item) ?? 0) * (frames.get(item) ?? 1);
    const sum = (partsOf.get(item) ?? []).reduce((all, part) => all + cost(part), 0);
    known.set(item, Math.max(own, sum));
    return Math.max(own, sum);
  };
  for (const item of new Set([...types.keys(), ...partsOf.keys()])) {
    if (cost(item) <= most) continue;
    if (partsOf.has(item)) throw refuseAbove(format, 'pixels in the images that it is composed of', most);
    // The size of a single frame is checked with the size of the image.
    if ((frames.get(item) ?? 1) > 1) throw refuseAbove(format, 'pixels in the frames of one item', most);
  }
}

/** The same file without large colour profiles: their boxes keep their place, as others refer to them by their number. */
function withoutProfiles(bytes: Buffer, boxes: readonly Box[]): Buffer {
  const large = allBoxes(boxes).filter(
    ({ type, contentAt, to }) => type === 'colr' && to - contentAt > bounds.profileBytes,
  );
  if (large.length === 0) return bytes;
  const left = Buffer.from(bytes);
  for (const box of large) free(left, box);
  return left;
}

/**
 * The same file without Exif, which libvips would read from its items: the boxes of the container turn the image (ISO/IEC 23008-12).
 * The items keep their data and get a type that decoders pass over.
 */
function withoutExif(bytes: Buffer, boxes: readonly Box[]): Buffer {
  const places = allBoxes(boxes)
    .filter(({ type }) => type === 'infe')
    // Version and flags, the id of 2 or 4 bytes, and two bytes of protection.
    .map(({ contentAt }) => contentAt + (bytes[contentAt] === 2 ? 8 : 10))
    .filter((at) => bytes.toString('latin1', at, at + 4) === 'Exif');
  if (places.length === 0) return bytes;
  const left = Buffer.from(bytes);
  for (const at of places) left.write('free', at);
  return left;
}

function allBoxes(boxes: readonly Box[]): readonly Box[] {
  return boxes.flatMap((box) => [box, ...allBoxes(box.children)]);
}

/** Makes a box one that decoders skip. Its type stands behind the first four bytes, also where its length has 64 bits. */
function free(bytes: Buffer, { from }: Box): void {
  bytes.write('free', from + 4);
}

/** Brands of a sequence, and those of a still image of the same coding. */
const stillBrands: Readonly<Record<string, string>> = {
  avis: 'avif',
  msf1: 'mif1',
  hevc: 'heic',
  hevx: 'heix',
};

function withoutFilm(bytes: Buffer, boxes: readonly Box[]): Buffer {
  const still = Buffer.from(bytes);
  for (const box of boxes) {
    if (box.type === 'moov') free(still, box);
    if (box.type !== 'ftyp') continue;
    for (let at = box.contentAt; at + 4 <= box.to; at += 4) {
      const brand = stillBrands[still.toString('latin1', at, at + 4)];
      if (brand !== undefined) still.write(brand, at);
    }
  }
  return still;
}
