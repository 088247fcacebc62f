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
  checkReferences(items, limits);
  checkData(bytes, items);
  const film = boxes.find(({ type }) => type === 'moov');
  if (!film) return bytes;
  if (!boxes.some(({ type }) => type === 'meta')) {
    throw new EngineError(
      'image-unsupported',
      `the ${format} file is a sequence without a still image, which is not supported: send one frame as an image`,
    );
  }
  return withoutFilm(bytes, boxes);
}

function checkReferences({ types, pixels, references }: IsoItems, { maxPixels }: ImageLimits): void {
  const total = references.reduce((sum, { to }) => sum + to.length, 0);
  if (total > bounds.isoReferences) throw refuseAbove(format, 'references', bounds.isoReferences);
  const partsOf = new Map<number, number[]>();
  for (const { type, from, to } of references) {
    if (type === 'dimg') partsOf.set(from, [...(partsOf.get(from) ?? []), ...to]);
  }
  const most = maxPixels * bounds.isoComposedImages;
  const known = new Map<number, number>();
  /** Pixels that are decoded for an item: its own, or those of all images that it is composed of. */
  const cost = (item: number): number => {
    const before = known.get(item);
    if (before !== undefined) return before;
    // An item that is composed of itself has no end.
    known.set(item, Number.POSITIVE_INFINITY);
    const parts = partsOf.get(item);
    const own = pixels.get(item) ?? 0;
    const sum = parts ? parts.reduce((all, part) => all + cost(part), 0) : own;
    known.set(item, Math.max(own, sum));
    return Math.max(own, sum);
  };
  for (const item of new Set([...types.keys(), ...partsOf.keys()])) {
    if (partsOf.has(item) && cost(item) > most) {
      throw refuseAbove(format, 'pixels in the images that it is composed of', most);
    }
  }
}

function checkData(bytes: Buffer, { types, extents }: IsoItems): void {
  const sum = extents.reduce((all, extent) => all + Math.min(extent.bytes, bytes.length), 0);
  // Items may share some data, such as the tiles of an image of one colour.
  if (sum > 4 * bytes.length) throw refuseAbove(format, 'bytes of items', 4 * bytes.length);
  const frames = new Map<number, number>();
  for (const { item, at, bytes: length } of extents) {
    if (at === undefined) continue;
    const data = bytes.subarray(at, at + length);
    const count = (frames.get(item) ?? 0) + countFrames(types.get(item), data, bounds.isoFrames);
    frames.set(item, count);
    if (count > bounds.isoFrames) throw refuseAbove(format, 'frames in one item', bounds.isoFrames);
  }
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
  for (const { type, contentAt, to } of boxes) {
    if (type === 'moov') still.write('free', contentAt - 4);
    if (type !== 'ftyp') continue;
    for (let at = contentAt; at + 4 <= to; at += 4) {
      const brand = stillBrands[still.toString('latin1', at, at + 4)];
      if (brand !== undefined) still.write(brand, at);
    }
  }
  return still;
}
