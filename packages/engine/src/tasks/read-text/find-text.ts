import type { Image } from '../../image/image.js';
import type { LoadedModel } from '../task.js';
import { mostProminent } from './choose-regions.js';
import type { ProbabilityMap } from './components.js';
import { findDetail, fineSize } from './detail.js';
import { joinScales } from './join-scales.js';
import { minAreaRectangle } from './min-area-rectangle.js';
import { scanView } from './scan.js';
import { scanSize, shortSidePx } from './scan-size.js';
import { cornersOf } from './strip.js';
import { isPlain } from './stroke-cells.js';
import { findTextRegions, type TextRegion } from './text-regions.js';
import { layTiles, type Tile } from './tiles.js';
import { cutView, type Size, shrinkView, takeView, type View } from './view.js';

/** Regions that a look keeps: joining two looks compares each with each. A page of 3,000 words in columns has as many. */
const maxCandidates = 5000;

export interface FindContext {
  readonly image: Image;
  readonly detector: LoadedModel;
  readonly signal: AbortSignal;
}

/**
 * Where text stands in an image, in its pixels: one look at the whole, and in large images a second one, at twice the
 * detail, at those parts that may hold smaller print.
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
  const hasDetail = await findDetail(fine);
  const tiles = layTiles(fine, multiple).filter(hasDetail);
  if (tiles.length === 0) return coarse;
  const stitched = { ...finer, data: new Uint8Array(finer.width * finer.height) };
  for (const tile of tiles) {
    signal.throwIfAborted();
    pasteTile(stitched, tile, await scanView(detector, await cutView(fine, tile)));
  }
  return joinScales(coarse, candidatesIn(stitched, image));
}

/** A small image as it is or, where its background is busy, enlarged. */
async function takeSmall(image: Image, size: Size, multiple: number): Promise<View> {
  const view = await takeView(image, size);
  const larger = scanSize(image, multiple, shortSidePx.busy);
  const isEnough = larger.width * larger.height <= size.width * size.height;
  return isEnough || (await isPlain(view)) ? view : takeView(image, larger);
}

/** Maps are joined before regions are sought in them, so that a line is one region whatever tiles it crosses. */
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
