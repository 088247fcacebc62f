import type { Picture } from '../../image/picture.js';
import type { LoadedModel } from '../task.js';
import type { ProbabilityMap } from './components.js';
import { detailCells, fineScale } from './detail.js';
import { joinScales } from './join-scales.js';
import { minAreaRectangle } from './min-area-rectangle.js';
import { scanPart } from './scan.js';
import { scanSize } from './scan-size.js';
import { cornersOf } from './strip.js';
import { findTextRegions, type TextRegion } from './text-regions.js';
import { layTiles, type Tile } from './tiles.js';

export interface FindContext {
  readonly picture: Picture;
  readonly detector: LoadedModel;
  readonly signal: AbortSignal;
}

/**
 * Where text stands in a picture, in its pixels: one look at the whole, and in large pictures a second one, at twice the
 * detail, at those parts that may hold smaller print.
 */
export async function findText(context: FindContext): Promise<TextRegion[]> {
  const { picture, detector, signal } = context;
  const { input } = detector.manifest;
  const multiple = input.fit === 'free' ? input.multiple : 32;
  const whole = { xMin: 0, yMin: 0, xMax: picture.width, yMax: picture.height };
  const size = scanSize(picture, multiple);
  const map = await scanPart(picture, detector, { region: whole, ...size });
  const coarse = inPicture(findTextRegions(map), map, picture);

  const scale = fineScale(picture, size);
  if (scale === null) return coarse;
  const side = (length: number) => Math.ceil((length * scale) / multiple) * multiple;
  const fine = { width: side(picture.width), height: side(picture.height) };
  const hasDetail = await detailCells(picture, fine);
  const stitched = { data: new Uint8Array(fine.width * fine.height), ...fine };
  let looked = false;
  for (const tile of layTiles(fine, multiple)) {
    if (!hasDetail(tile)) continue;
    signal.throwIfAborted();
    looked = true;
    pasteTile(stitched, tile, await scanPart(picture, detector, scanOf(tile, fine, picture)));
  }
  return looked ? joinScales(coarse, inPicture(findTextRegions(stitched), stitched, picture)) : coarse;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function scanOf({ left, top, width, height }: Tile, fine: Size, picture: Size) {
  const [x, y] = [picture.width / fine.width, picture.height / fine.height];
  return {
    region: { xMin: left * x, yMin: top * y, xMax: (left + width) * x, yMax: (top + height) * y },
    width,
    height,
  };
}

/** Maps are joined before regions are sought in them, so that a line is one region whatever tiles it crosses. */
function pasteTile(map: ProbabilityMap, { left, top, inner }: Tile, part: ProbabilityMap): void {
  for (let y = inner.top; y < inner.bottom; y += 1) {
    const from = (y - top) * part.width - left;
    map.data.set(part.data.subarray(from + inner.left, from + inner.right), y * map.width + inner.left);
  }
}

/** From pixels of a map to those of the picture; the two scales may differ by a little. */
function inPicture(regions: readonly TextRegion[], map: Size, picture: Size): TextRegion[] {
  const [x, y] = [picture.width / map.width, picture.height / map.height];
  return regions.flatMap((region) => {
    const corners = cornersOf(region.strip).map((corner) => ({ x: corner.x * x, y: corner.y * y }));
    const strip = minAreaRectangle(corners);
    return strip === null ? [] : [{ ...region, strip }];
  });
}
