import { alignedFace } from './aligned-face.js';

/**
 * How evenly detail is spread over a face: the lower quartile of the steps of brightness, divided by their mean. Squares of a mosaic,
 * flat colours, and something smooth before the face leave parts without detail beside strong edges. Faces as photographed
 * have .26 and more, blurred ones too, noisy ones about .5; 0 where a quarter of the face is flat.
 * @param luma of an aligned face
 */
export function measureDetailSpread(luma: Float32Array): number {
  const { side } = alignedFace;
  const steps = placesInFace.map((at) =>
    Math.hypot((luma[at + 1] ?? 0) - (luma[at - 1] ?? 0), (luma[at + side] ?? 0) - (luma[at - side] ?? 0)),
  );
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  return (steps.toSorted()[steps.length >> 2] ?? 0) / (mean + tiniest);
}

/** Keeps a face of one colour from a division by zero; of 255. */
const tiniest = 0.1;

/** Pixels of an oval from the forehead to the chin. */
const placesInFace = Float32Array.from(listPlaces(alignedFace.side));

function listPlaces(side: number): number[] {
  const places: number[] = [];
  for (let y = 1; y < side - 1; y++) {
    for (let x = 1; x < side - 1; x++) {
      if (((x - 56) / 42) ** 2 + ((y - 66) / 46) ** 2 <= 1) places.push(y * side + x);
    }
  }
  return places;
}
