import { readingWidthPx } from './reading-strip.js';
import type { TextRegion } from './text-regions.js';

/** Limits of reading: a strip takes some 70 ms per thousand pixels of its width. */
interface ReadingLimits {
  readonly maxLines: number;
  /** Width of all strips together, in pixels of the recogniser. */
  readonly maxWidthPx: number;
  /** Height of the recogniser's strips in pixels. */
  readonly stripHeightPx: number;
}

/**
 * The most prominent regions, as many as the limits allow, the most prominent first. A region that is too long for what is
 * left is skipped for shorter ones, so that a single long line does not keep a page from being read.
 */
export function chooseRegions(regions: readonly TextRegion[], limits: ReadingLimits): TextRegion[] {
  const { maxLines, maxWidthPx, stripHeightPx } = limits;
  const chosen: TextRegion[] = [];
  let leftPx = maxWidthPx;
  for (const region of mostProminent(regions, regions.length)) {
    if (chosen.length >= maxLines) break;
    const widthPx = readingWidthPx(region, stripHeightPx);
    if (widthPx > leftPx) continue;
    leftPx -= widthPx;
    chosen.push(region);
  }
  return chosen;
}

/** Large and certain text first. */
export function mostProminent(regions: readonly TextRegion[], count: number): TextRegion[] {
  return [...regions].sort((a, b) => prominence(b) - prominence(a)).slice(0, count);
}

/** The detector's score of merged lines is little more than this; they would be the largest otherwise. */
const doubtfulScore = 0.5;

function prominence({ strip, score }: TextRegion): number {
  return (score - doubtfulScore) * Math.sqrt(Math.min(strip.width, strip.height));
}
