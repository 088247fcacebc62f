import { type Box, boxArea } from '../../image/box.js';
import { cornersOf, enclose } from './strip.js';
import type { TextRegion } from './text-regions.js';

/** A line lower than this in the coarse map is better delimited by the fine one. */
const minCoarseHeightPx = 12;
/** Share of the smaller of two regions inside the other, from which they are the same text. */
const minShared = 0.25;
/** A coarse region is several lines that ran together when finer ones, lower than this part of it, fill so much of it. */
const maxLineHeight = 0.6;
const minFilled = 0.3;

/**
 * Joins the regions of a coarse and a fine pass: for the same text the coarse region is kept where the letters were large
 * enough in it, since the fine pass may find only parts of large letters; otherwise the fine ones.
 */
export function joinScales(coarse: readonly TextRegion[], fine: readonly TextRegion[]): TextRegion[] {
  const fineLines = fine.map((region) => ({ box: boxOf(region), height: shorterSide(region) }));
  const large: TextRegion[] = [];
  const small: TextRegion[] = [];
  for (const region of coarse) {
    const isLarge = region.seenHeightPx >= minCoarseHeightPx && !isSeveralLines(region, fineLines);
    (isLarge ? large : small).push(region);
  }
  const kept = unlessCovered(fine, large);
  return [...large, ...kept, ...unlessCovered(small, kept)];
}

interface Line {
  readonly box: Box;
  readonly height: number;
}

function isSeveralLines(region: TextRegion, fine: readonly Line[]): boolean {
  const box = boxOf(region);
  const height = shorterSide(region);
  const filled = fine
    .filter((line) => line.height < maxLineHeight * height)
    .reduce((sum, line) => sum + sharedArea(box, line.box), 0);
  return filled > minFilled * boxArea(box);
}

function shorterSide({ strip }: TextRegion): number {
  return Math.min(strip.width, strip.height);
}

function unlessCovered(regions: readonly TextRegion[], by: readonly TextRegion[]): TextRegion[] {
  const boxes = by.map(boxOf);
  return regions.filter((region) => {
    const box = boxOf(region);
    let covered = 0;
    let isPart = false;
    for (const other of boxes) {
      const shared = sharedArea(box, other);
      covered += shared;
      isPart ||= shared > minShared * Math.min(boxArea(box), boxArea(other));
    }
    return !isPart && covered < minShared * boxArea(box);
  });
}

function boxOf({ strip }: TextRegion): Box {
  return enclose(cornersOf(strip));
}

function sharedArea(a: Box, b: Box): number {
  const width = Math.min(a.xMax, b.xMax) - Math.max(a.xMin, b.xMin);
  const height = Math.min(a.yMax, b.yMax) - Math.max(a.yMin, b.yMin);
  return Math.max(0, width) * Math.max(0, height);
}
