import type { GreyImage } from '../../decoding/frame.js';

/** Frames that correlate less show different scenes, unless the camera panned; light that is switched on leaves more. */
const minCorrelation = 0.3;
/** The same at the best of all shifts: some shift of another scene correlates by chance. */
const minShiftedCorrelation = 0.65;
/** How far a camera pans between two frames at most, as shares of the width and of the height. */
const maxShift = { x: 1 / 4, y: 1 / 8 };
/** Side of the squares whose means are compared at each shift. */
const reducedBy = 3;
/** Share of the picture that a cut changes at least: something large that moves before a plain wall changes less. */
const minChanged = 0.5;
/** Of 255, beside what light changes everywhere. */
const minDifference = 12;
/** Deviation of grey values below which a frame shows nothing: black, or white. */
const minDeviation = 3;
/** Range of the grey values in a line of a bar stays below it. */
const maxBarRange = 12;
/** Share of the picture's edge that differs from the bar in each frame; a wall shows on all sides of what moves before it. */
const minEdge = 0.4;

/** Whether a film cuts to another shot between two frames: what was followed in one is not in the other. */
type IsShotChange = (next: GreyImage) => boolean;

/** In pixels. */
interface Shift {
  readonly x: number;
  readonly y: number;
}

/** In pixels; `right` and `bottom` are outside. */
interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** @returns a function that is called with each frame in turn; false for the first */
export function createShotChange(): IsShotChange {
  let before: GreyImage | null = null;
  return (next) => {
    const isChange = before !== null && isOtherShot(before, next);
    // The decoder uses its memory again.
    before = { ...next, pixels: next.pixels.slice() };
    return isChange;
  };
}

function isOtherShot(before: GreyImage, next: GreyImage): boolean {
  if (before.width !== next.width || before.height !== next.height) return true;
  const picture = pictureWithinBars(before, next);
  const [a, b] = [crop(before, picture), crop(next, picture)];
  return (
    correlate(a, b) < minCorrelation &&
    changedShare(a, b) >= minChanged &&
    correlateShifted(a, b) < minShiftedCorrelation
  );
}

/**
 * What the bars of two frames leave. Bars are lines at a border, flat and the same in both frames, up to a straight edge: a player or an
 * editor adds them to a film of another shape, and they alone would correlate.
 */
function pictureWithinBars(a: GreyImage, b: GreyImage): Rectangle {
  /** Lines that the bar takes at one side, of which `lineAt` says where they are. */
  const barLines = (count: number, lineAt: (distance: number) => Rectangle): number => {
    const valuesAt = (distance: number) => [a, b].map((frame) => crop(frame, lineAt(distance)).pixels);
    let lines = 0;
    while (lines < count && rangeOf(valuesAt(lines)) < maxBarRange) lines += 1;
    // The line between the bar and the picture is mixed of both.
    if (lines === 0 || lines + 1 >= count) return 0;
    const bar = valuesAt(0)[0]?.[0] ?? 0;
    const isEdge = valuesAt(lines + 1).every(
      (line) =>
        line.filter((value) => Math.abs(value - bar) >= minDifference).length >= minEdge * line.length,
    );
    return isEdge ? lines + 1 : 0;
  };
  const { width, height } = a;
  const row = (y: number): Rectangle => ({ left: 0, right: width, top: y, bottom: y + 1 });
  const top = barLines(height, row);
  const bottom = height - barLines(height - top, (distance) => row(height - 1 - distance));
  const column = (x: number): Rectangle => ({ left: x, right: x + 1, top, bottom });
  const left = barLines(width, column);
  const right = width - barLines(width - left, (distance) => column(width - 1 - distance));
  return { left, top, right, bottom };
}

function rangeOf(lines: readonly Uint8Array[]): number {
  let [min, max] = [255, 0];
  for (const line of lines) {
    for (const value of line) {
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  }
  return max - min;
}

/** The correlation at the best shift, of frames that are reduced first: it costs less, and forgives parts of a pixel and some zoom. */
function correlateShifted(before: GreyImage, next: GreyImage): number {
  const [a, b] = [reduce(before), reduce(next)];
  const [reachX, reachY] = [Math.round(a.width * maxShift.x), Math.round(a.height * maxShift.y)];
  let best = -1;
  for (let y = -reachY; y <= reachY; y += 1) {
    for (let x = -reachX; x <= reachX; x += 1) best = Math.max(best, correlate(a, b, { x, y }));
  }
  return best;
}

/**
 * Pearson's correlation of grey values where two frames of one size overlap, -1 to 1; 1 of two that show nothing, 0 where one of them does.
 * @param shift of the second frame to the right and down
 */
function correlate(a: GreyImage, b: GreyImage, { x, y }: Shift = { x: 0, y: 0 }): number {
  const { width, height } = a;
  const [left, right] = [Math.max(0, x), width + Math.min(0, x)];
  const [top, bottom] = [Math.max(0, y), height + Math.min(0, y)];
  const count = (right - left) * (bottom - top);
  let sumA = 0;
  let sumB = 0;
  let squareA = 0;
  let squareB = 0;
  let product = 0;
  for (let row = top; row < bottom; row += 1) {
    const end = row * width + right;
    let atB = (row - y) * width + left - x;
    for (let at = row * width + left; at < end; at += 1, atB += 1) {
      const valueA = a.pixels[at] ?? 0;
      const valueB = b.pixels[atB] ?? 0;
      sumA += valueA;
      sumB += valueB;
      squareA += valueA * valueA;
      squareB += valueB * valueB;
      product += valueA * valueB;
    }
  }
  const deviationA = Math.sqrt(Math.max(0, squareA / count - (sumA / count) ** 2));
  const deviationB = Math.sqrt(Math.max(0, squareB / count - (sumB / count) ** 2));
  const [isEmptyA, isEmptyB] = [deviationA < minDeviation, deviationB < minDeviation];
  if (isEmptyA || isEmptyB) return isEmptyA && isEmptyB ? 1 : 0;
  return (product / count - (sumA / count) * (sumB / count)) / (deviationA * deviationB);
}

/** Share of the values that differ by more than the mean difference does, 0 to 1. */
function changedShare(a: GreyImage, b: GreyImage): number {
  const mean = ({ pixels }: GreyImage) => pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
  const lighter = mean(b) - mean(a);
  let changed = 0;
  for (let at = 0; at < a.pixels.length; at += 1) {
    const difference = (b.pixels[at] ?? 0) - (a.pixels[at] ?? 0) - lighter;
    if (Math.abs(difference) >= minDifference) changed += 1;
  }
  return changed / a.pixels.length;
}

function crop({ width, pixels }: GreyImage, { left, top, right, bottom }: Rectangle): GreyImage {
  const size = { width: right - left, height: bottom - top };
  const part = new Uint8Array(size.width * size.height);
  for (let y = 0; y < size.height; y += 1) {
    const from = (top + y) * width + left;
    part.set(pixels.subarray(from, from + size.width), y * size.width);
  }
  return { ...size, pixels: part };
}

/** The frame with means of squares as its pixels. */
function reduce(image: GreyImage): GreyImage {
  const [width, height] = [Math.floor(image.width / reducedBy), Math.floor(image.height / reducedBy)];
  const sums = new Float64Array(width * height);
  for (let y = 0; y < height * reducedBy; y += 1) {
    for (let x = 0; x < width * reducedBy; x += 1) {
      const at = Math.floor(y / reducedBy) * width + Math.floor(x / reducedBy);
      sums[at] = (sums[at] ?? 0) + (image.pixels[y * image.width + x] ?? 0);
    }
  }
  return { width, height, pixels: Uint8Array.from(sums, (sum) => sum / reducedBy ** 2) };
}
