import type { ModelManifest } from '../../catalog/manifest.js';
import type { Image } from '../../image/image.js';
import { floatsOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import { mostProminent } from './choose-regions.js';
import type { ProbabilityMap } from './components.js';
import { joinScales } from './join-scales.js';
import { minAreaRectangle } from './min-area-rectangle.js';
import { cornersOf } from './strip.js';
import { cellPx, countStrokes, isPlain } from './stroke-cells.js';
import { findTextRegions, type TextRegion } from './text-regions.js';
import { layTiles, type Tile } from './tiles.js';
import { cutView, enlargeView, type Size, shrinkView, takeView, type View } from './view.js';

/** Scale of the second pass relative to the first. */
const finerBy = 2;

/** Below this a second pass gains nothing. */
const worthFinerBy = 1.3;

/** Growth of the area from which sides rounded up are to blame and not detail: an image of a few lines of pixels. */
const maxGrowth = 1.5 * finerBy ** 2;

/** What the noise of a camera leaves of the Laplacian, 0 to 255. */
const noiseFloor = 24;

/** Mean of what exceeds it in a cell of print, and how many such cells a tile must have. */
const minEnergy = 5;

const minCells = 6;

/** Area of one detector run: its time is in proportion, some 0.17 s on one thread for this. */
const maxScanPx = 960 * 736;

const maxEnlargement = 3;

/**
 * The shorter side to which small images are enlarged. On a plain background the detector finds as much at 480 as at
 * 736, in two fifths of the time; letters directly over foliage are found better when enlarged, while in photographs
 * with signs and labels 608 shows as much as 736.
 */
const shortSidePx = { plain: 480, busy: 608 } as const;

/** Regions that a pass keeps: joining two passes compares each with each. A page of 3,000 words in columns has as many. */
const maxCandidates = 5000;

/** Background around an image, in pixels of the first pass and as a part of the shorter side: less than a tenth loses letters. */
const border = { maxPx: 16, ofShortSide: 0.1 } as const;

/** How wide a border helps to find the text at the edges of an image, in its pixels. */
export function borderOf(image: Size, { input }: Pick<ModelManifest, 'input'>): number {
  const multiple = input.fit === 'free' ? input.multiple : 32;
  const scale = scanSize(image, multiple, shortSidePx.plain).width / image.width;
  const shortPx = Math.min(image.width, image.height);
  return Math.max(1, Math.round(Math.min(border.maxPx / scale, border.ofShortSide * shortPx)));
}

interface FindContext {
  readonly image: Image;
  readonly detector: LoadedModel;
  readonly signal: AbortSignal;
}

/**
 * The text regions of an image, in its pixels: one pass over the whole, and in large images a second one, at twice the
 * detail, over tiles that may have smaller print.
 */
export async function findText(context: FindContext): Promise<TextRegion[]> {
  const { image, detector, signal } = context;
  const { input } = detector.manifest;
  const multiple = input.fit === 'free' ? input.multiple : 32;
  const size = scanSize(image, multiple, shortSidePx.plain);
  const finer = fineSize(image, size, multiple);
  if (finer === null) {
    const map = await scanView(detector, await takeSmall(image, size, multiple));
    return candidatesIn(map, image);
  }
  const fine = await takeView(image, finer);
  const map = await scanView(detector, await shrinkView(fine, size));
  const coarse = candidatesIn(map, image);
  const hasDetail = findDetail(fine);
  const tiles = layTiles(fine, multiple).filter(hasDetail);
  if (tiles.length === 0) return coarse;
  const stitched = { ...finer, data: new Uint8Array(finer.width * finer.height) };
  for (const tile of tiles) {
    signal.throwIfAborted();
    pasteTile(stitched, tile, await scanView(detector, await cutView(fine, tile)));
  }
  return joinScales(coarse, candidatesIn(stitched, image));
}

/** A small image unchanged or, where its background is textured, enlarged. */
async function takeSmall(image: Image, size: Size, multiple: number): Promise<View> {
  const view = await takeView(image, size);
  const larger = scanSize(image, multiple, shortSidePx.busy);
  const isEnough = larger.width * larger.height <= size.width * size.height;
  return isEnough || isPlain(view) ? view : enlargeView(view, larger);
}

/** Maps are joined before regions are extracted, so that a line across tiles is one region. */
function pasteTile(map: ProbabilityMap, { left, top, inner }: Tile, part: ProbabilityMap): void {
  for (let y = inner.top; y < inner.bottom; y += 1) {
    const from = (y - top) * part.width - left;
    map.data.set(part.data.subarray(from + inner.left, from + inner.right), y * map.width + inner.left);
  }
}

/** The most prominent regions of a map, in pixels of the image. */
function candidatesIn(map: ProbabilityMap, image: Size): TextRegion[] {
  return inImage(mostProminent(findTextRegions(map), maxCandidates), map, image);
}

/** From pixels of a map to those of the image; the two scales may differ by a little. */
function inImage(regions: readonly TextRegion[], map: Size, image: Size): TextRegion[] {
  const [x, y] = [image.width / map.width, image.height / map.height];
  return regions.flatMap((region) => {
    const corners = cornersOf(region.strip).map((corner) => ({ x: corner.x * x, y: corner.y * y }));
    const strip = minAreaRectangle(corners);
    return strip === null ? [] : [{ ...region, strip }];
  });
}

/** The detector's map of a view; its sides are multiples of the manifest's `multiple`. */
async function scanView(detector: LoadedModel, { data, width, height }: View): Promise<ProbabilityMap> {
  const outputs = await detector.run({ image: { data, dims: [1, height, width, 3] } });
  const probabilities = floatsOf(detector, outputs, 'map');
  // Bytes are precise enough here, and take a quarter of the memory of floats.
  const map = new Uint8Array(width * height);
  for (let at = 0; at < map.length; at += 1) map[at] = (probabilities[at] ?? 0) * 255 + 0.5;
  return { data: map, width, height };
}

/**
 * The size of the first pass over a whole image: an area of at most 960 x 736 and a shorter side of at least
 * `minShortSidePx` where that allows. The area is what is bounded and not the longer side, so that a long thin image
 * keeps its letters.
 * @param multiple what both sides must be multiples of
 */
export function scanSize(
  image: { readonly width: number; readonly height: number },
  multiple: number,
  minShortSidePx: number,
): { width: number; height: number } {
  const { width, height } = image;
  const enlargement = Math.min(maxEnlargement, Math.max(1, minShortSidePx / Math.min(width, height)));
  const scale = Math.min(enlargement, Math.sqrt(maxScanPx / (width * height)));
  // One multiple is the least a side can have, so that of a line of pixels the other side must be bounded too.
  const maxUnits = Math.floor(maxScanPx / multiple / multiple);
  const side = (length: number) =>
    Math.min(Math.max(1, Math.round((length * scale) / multiple)), maxUnits) * multiple;
  return { width: side(width), height: side(height) };
}

/** The size of the second pass, in multiples; null where the first one had nearly full resolution. */
export function fineSize(image: Size, coarse: Size, multiple: number): Size | null {
  const seen = Math.sqrt((coarse.width * coarse.height) / (image.width * image.height));
  if (seen * worthFinerBy >= 1) return null;
  const scale = Math.min(1, seen * finerBy);
  const side = (length: number) => Math.ceil((length * scale) / multiple) * multiple;
  const [width, height] = [side(image.width), side(image.height)];
  return width * height > maxGrowth * coarse.width * coarse.height ? null : { width, height };
}

/** Whether a tile of the fine view may have small print: it has cells full of sharp strokes. */
function findDetail(fine: View): (tile: Tile) => boolean {
  const { columns, energies } = countStrokes(fine, noiseFloor);
  return ({ left, top, width, height }) => {
    let count = 0;
    for (let y = Math.floor(top / cellPx); y < (top + height) / cellPx; y += 1) {
      for (let x = Math.floor(left / cellPx); x < (left + width) / cellPx; x += 1) {
        if ((energies[y * columns + x] ?? 0) >= minEnergy) count += 1;
      }
    }
    return count >= minCells;
  };
}
