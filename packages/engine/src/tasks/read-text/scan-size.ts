/** Area that the detector looks at in one run: its time is in proportion, some 0.17 s on one thread for this. */
const maxScanPx = 960 * 736;
const maxEnlargement = 3;

/**
 * The shorter side to which small images are enlarged. On a plain background the detector finds as much at 480 as at
 * 736, for two fifths of the time; letters straight over foliage it finds better when enlarged, while in photographs
 * with signs and labels 608 shows as much as 736.
 */
export const shortSidePx = { plain: 480, busy: 608 } as const;

/**
 * The size at which a whole image is looked at first: an area of at most 960 x 736 and a shorter side of at least
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
