import { objectBox } from './draw-image.js';
import type { Evidence } from './evidence.js';
import type { BoxFormat } from './import-options.js';
import type { Boxes } from './plan.js';

/** A box that the net answered for a drawn image, in its own numbers. */
export interface RawBox {
  readonly sides: readonly [number, number, number, number];
  readonly score: number;
}

export interface BoxReading {
  readonly boxes: Boxes;
  /** How it was chosen, where it is not the usual one or could not be tried. */
  readonly notes: readonly string[];
}

interface UsualBoxes {
  readonly format: BoxFormat;
  readonly unit: Boxes['unit'];
  /** Other formats that such an output may have. */
  readonly others: readonly BoxFormat[];
}

/** Sides above this are pixels: a box reaches no farther than this many images. */
const greatestRelative = 3;
/** Shares of boxes that are possible ones, from which a format is trusted and below which it is not. */
const [trusted, doubted] = [0.9, 0.5];
/** Overlap with the drawn object above which a box lies on it, and below which it lies elsewhere. */
export const hitOverlap = 0.5;
const missOverlap = 0.2;
/** Score from which a box counts as found. */
export const sureScore = 0.25;
const leastSide = 1e-3;
/** Boxes of an image that are tried: all have the same format, so more of them would show nothing new. */
const mostTried = 100;

const formatNames: Readonly<Record<BoxFormat, string>> = {
  cxcywh: 'centre and size (cxcywh)',
  xyxy: 'corners, x first (xyxy)',
  yxyx: 'corners, y first (yxyx)',
};

/**
 * Unit and format of boxes. Each possible format is tried on the boxes for the drawn images: most of them must be boxes within the
 * image, and a sure one must lie on the object. The usual one wins unless another is clearly better.
 * @param sights Boxes for each drawn image; those of the first need not show the object.
 */
export function readBoxes(
  { options: { boxes: given }, width, height }: Evidence,
  sights: readonly (readonly RawBox[])[],
  usual: UsualBoxes,
): BoxReading {
  const shown = sights.map(mostLikely);
  const all = shown.flat();
  const notes: string[] = [];
  const greatest = all.reduce((most, { sides }) => Math.max(most, ...sides.map(Math.abs)), 0);
  const seen = greatest === 0 ? usual.unit : greatest > greatestRelative ? 'pixels' : 'relative';
  const unit = given?.unit ?? seen;
  if (greatest === 0 && given?.unit === undefined)
    notes.push(
      `Nothing was found in the drawn images, so the reading of its boxes was not tried: ${formatNames[given?.format ?? usual.format]} in ` +
        `${unit === 'pixels' ? 'pixels of the input' : 'fractions of the image'} are assumed. Give boxes.format and boxes.unit where that is wrong.`,
    );
  if (given?.format !== undefined) return { boxes: { format: given.format, unit }, notes };
  const factors = unit === 'pixels' ? ([1 / width, 1 / height] as const) : ([1, 1] as const);
  const judge = (format: BoxFormat) => ({
    format,
    share: shareOfPossible(all, format, factors),
    onObject: overlapWithObject(shown.slice(1), format, factors),
  });
  const own = judge(usual.format);
  const others = usual.others.map(judge);
  // A format whose boxes lie on the object says more than one whose boxes are possible, whichever is listed first.
  const hit =
    (own.onObject ?? hitOverlap) < missOverlap
      ? others.find(({ onObject = 0 }) => onObject > hitOverlap)
      : undefined;
  const isOwnHit = (own.onObject ?? 0) > hitOverlap;
  const better =
    hit ?? (isOwnHit ? undefined : others.find(({ share }) => share >= trusted && own.share < doubted));
  const format = better?.format ?? usual.format;
  if (better !== undefined) {
    const percent = (share: number) => `${Math.round(100 * share)} %`;
    const reason =
      hit === undefined
        ? `of those for drawn images ${percent(better.share)} are possible boxes so, and as ${formatNames[usual.format]} ${percent(own.share)}`
        : `the best one lies on the drawn object so, and as ${formatNames[usual.format]} it does not`;
    notes.push(
      `Its boxes are read as ${formatNames[format]}: ${reason}. Give boxes.format where that is wrong.`,
    );
  }
  return { boxes: { format, unit }, notes };
}

/** Best first. Rows of zeros are no boxes. */
function mostLikely(boxes: readonly RawBox[]): RawBox[] {
  return boxes
    .filter(({ sides }) => sides.some((side) => Math.abs(side) > leastSide))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostTried);
}

type Corners = readonly [number, number, number, number];

/** xMin, yMin, xMax, yMax relative to the image. */
function corners(
  { sides: [a, b, c, d] }: RawBox,
  format: BoxFormat,
  [x, y]: readonly [number, number],
): Corners {
  switch (format) {
    case 'cxcywh':
      return [(a - c / 2) * x, (b - d / 2) * y, (a + c / 2) * x, (b + d / 2) * y];
    case 'xyxy':
      return [a * x, b * y, c * x, d * y];
    case 'yxyx':
      return [b * x, a * y, d * x, c * y];
  }
}

function shareOfPossible(
  boxes: readonly RawBox[],
  format: BoxFormat,
  factors: readonly [number, number],
): number {
  if (boxes.length === 0) return 1;
  const possible = boxes.filter((box) => {
    const [left, top, right, bottom] = corners(box, format, factors);
    return right > left && bottom > top && left > -0.1 && top > -0.1 && right < 1.1 && bottom < 1.1;
  });
  return possible.length / boxes.length;
}

/** Of the surest box for each image of an object; undefined where none is sure. */
function overlapWithObject(
  sights: readonly (readonly RawBox[])[],
  format: BoxFormat,
  factors: readonly [number, number],
): number | undefined {
  const overlaps = sights.flatMap((boxes) => {
    const [best] = boxes;
    return best === undefined || best.score < sureScore
      ? []
      : overlap(corners(best, format, factors), objectBox);
  });
  return overlaps.length === 0 ? undefined : Math.max(...overlaps);
}

/** Intersection over union. */
export function overlap(a: Corners, b: Corners): number {
  const area = ([left, top, right, bottom]: Corners) => Math.max(0, right - left) * Math.max(0, bottom - top);
  const both = area([Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]);
  return both === 0 ? 0 : both / (area(a) + area(b) - both);
}
