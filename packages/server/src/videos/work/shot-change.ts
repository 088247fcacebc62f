import type { GreyImage } from '../../streams/decoding/frame.js';

/** Below it two frames show different scenes; a camera that pans, or light that is switched on, leaves more in common. */
const leastCorrelation = 0.3;
/** Share of the picture that a cut changes at least: something large that moves before a plain wall changes less. */
const leastChanged = 0.5;
/** Of 255, beside what light changes everywhere. */
const leastDifference = 12;
/** Deviation of grey values below which a frame shows nothing: black, or white. */
const leastDeviation = 3;

/** Whether a film cuts to another shot between two frames: what was followed in one is not in the other. */
export type IsShotChange = (next: GreyImage) => boolean;

/** @returns a function that is called with each frame in turn; false for the first */
export function createShotChange(): IsShotChange {
  let before: GreyImage | null = null;
  return (next) => {
    const isChange =
      before !== null &&
      correlate(before, next) < leastCorrelation &&
      changedShare(before, next) >= leastChanged;
    // The decoder uses its memory again.
    before = { ...next, pixels: next.pixels.slice() };
    return isChange;
  };
}

/** Pearson's correlation of grey values, -1 to 1; 1 of two frames that show nothing, 0 where one of them does. */
export function correlate(a: GreyImage, b: GreyImage): number {
  if (a.width !== b.width || a.height !== b.height) return 0;
  const count = a.pixels.length;
  let [sumA, sumB, squareA, squareB, product] = [0, 0, 0, 0, 0];
  for (let at = 0; at < count; at += 1) {
    const [x, y] = [a.pixels[at] ?? 0, b.pixels[at] ?? 0];
    sumA += x;
    sumB += y;
    squareA += x * x;
    squareB += y * y;
    product += x * y;
  }
  const deviationA = Math.sqrt(Math.max(0, squareA / count - (sumA / count) ** 2));
  const deviationB = Math.sqrt(Math.max(0, squareB / count - (sumB / count) ** 2));
  const [isEmptyA, isEmptyB] = [deviationA < leastDeviation, deviationB < leastDeviation];
  if (isEmptyA || isEmptyB) return isEmptyA && isEmptyB ? 1 : 0;
  return (product / count - (sumA / count) * (sumB / count)) / (deviationA * deviationB);
}

/** Share of the values that differ by more than the mean difference does, 0 to 1; 1 of frames of another size. */
export function changedShare(a: GreyImage, b: GreyImage): number {
  if (a.width !== b.width || a.height !== b.height) return 1;
  const mean = ({ pixels }: GreyImage) => pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
  const shift = mean(b) - mean(a);
  let changed = 0;
  for (let at = 0; at < a.pixels.length; at += 1) {
    const difference = (b.pixels[at] ?? 0) - (a.pixels[at] ?? 0) - shift;
    if (Math.abs(difference) >= leastDifference) changed += 1;
  }
  return changed / a.pixels.length;
}
