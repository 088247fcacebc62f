import { alignedFace } from './aligned-face.js';

/** Steps in eight directions of half a circle, about 3 pixels long: a thirtieth of the width of the aligned face. */
const steps = [
  [3, 0],
  [3, 1],
  [2, 2],
  [1, 3],
  [0, 3],
  [-1, 3],
  [-2, 2],
  [-3, 1],
] as const;
/** The long steps are so many times the short ones, and the longest distance that is compared is this far from a pixel. */
const longer = 3;
const margin = 3 * longer;

/**
 * How sharp a face is in the direction in which it is least sharp: the mean square of second differences over a short step, divided by
 * that over a long one. Blur along a direction takes the detail of the short step, and leaves that of the long one. The contrast of
 * the image cancels out. Pixels are smoothed first, so that noise, which comes after the blur, is not taken for detail.
 *
 * Sharp faces have .11 to .2, those blurred by a tenth of the face's width .03 to .077, along any direction.
 * @param luma of an aligned face
 */
export function measureDirectionalSharpness(luma: Float32Array): number {
  const { side } = alignedFace;
  const smooth = smoothed(luma, side);
  const energy = (offset: number) => {
    let sum = 0;
    for (const at of placesInFace) {
      const second = (smooth[at - offset] ?? 0) + (smooth[at + offset] ?? 0) - 2 * (smooth[at] ?? 0);
      sum += second * second;
    }
    return sum;
  };
  const ratios = steps.map(([right, down]) => {
    const offset = down * side + right;
    const long = energy(longer * offset);
    // Where nothing differs, nothing is sharp.
    return long > 0 ? energy(offset) / long : 0;
  });
  return Math.min(...ratios);
}

/** The mean of each pixel with its eight neighbours; the border stays as it is. */
function smoothed(luma: Float32Array, side: number): Float32Array {
  const smooth = luma.slice();
  for (let y = 1; y < side - 1; y++) {
    for (let x = 1; x < side - 1; x++) {
      let sum = 0;
      for (let row = y - 1; row <= y + 1; row++) {
        const at = row * side + x;
        sum += (luma[at - 1] ?? 0) + (luma[at] ?? 0) + (luma[at + 1] ?? 0);
      }
      smooth[y * side + x] = sum / 9;
    }
  }
  return smooth;
}

/** Pixels of an oval from the forehead to the chin, without what is around the face. */
const placesInFace = listPlaces(alignedFace.side);

function listPlaces(side: number): Uint16Array {
  const places: number[] = [];
  for (let y = margin; y < side - margin; y++) {
    for (let x = margin; x < side - margin; x++) {
      if (((x - 56) / 42) ** 2 + ((y - 66) / 46) ** 2 <= 1) places.push(y * side + x);
    }
  }
  return Uint16Array.from(places);
}
