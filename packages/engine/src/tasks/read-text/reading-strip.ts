import { stripWidthPx } from './cut-strip.js';
import { type Strip, turnStrip } from './strip.js';
import type { TextRegion } from './text-regions.js';

/**
 * A horizontal stretch: the recogniser omits spaces that are narrow. Measured on rendered lines
 * of 12 to 48 px: characters in error .034 as cut, .012 with this and `framed`.
 */
export const readingStretch = 1.15;

/**
 * The strip with as much background above and below as the recogniser reads best with. The detector's own frame is loose
 * around letters that it saw small and tight around large ones, so that the margin grows with the height it saw.
 */
export function framed({ strip, seenHeightPx }: TextRegion): Strip {
  const factor = Math.min(Math.max(1.7 - 5 / seenHeightPx, 0.75), 1.5);
  return {
    ...strip,
    height: strip.height * factor,
    width: strip.width + strip.height * Math.max(0, factor - 1),
  };
}

/** How wide a region will be for a recogniser of strips of this height, read along its longer side. */
export function readingWidthPx(region: TextRegion, height: number): number {
  const { strip } = region;
  const lying = strip.height > strip.width ? turnStrip(strip, 1) : strip;
  return stripWidthPx(framed({ ...region, strip: lying }), height, readingStretch);
}
