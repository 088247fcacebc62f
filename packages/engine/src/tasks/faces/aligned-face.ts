import type { Image } from '../../image/image.js';
import { type AlignedSquare, alignFace } from './align.js';
import type { FivePoints } from './face.js';
import { takeFrame } from './frame.js';

/**
 * The aligned face on which sharpness and brightness are measured, whatever the embedder: at another size it would be
 * sharper or softer. The points are those of ArcFace (Deng et al., 2019), which many embedders need too.
 */
export const alignedFace = {
  side: 112,
  points: [
    [38.2946, 51.6963],
    [73.5318, 51.5014],
    [56.0252, 71.7366],
    [41.5493, 92.3655],
    [70.7299, 92.2041],
  ],
} as const satisfies AlignedSquare;

/** The pixels of each face, RGB interleaved, `alignedFace.side` squared. */
export async function takeAlignedFaces(image: Image, faces: readonly FivePoints[]): Promise<Uint8Array[]> {
  const size = { width: alignedFace.side, height: alignedFace.side };
  const taken: Uint8Array[] = [];
  for (const points of faces) taken.push(await takeFrame(image, alignFace(points, alignedFace), size));
  return taken;
}

/** Whether a square is aligned like these, so that their pixels can be reused. */
export function isAlignedFace({ side, points }: AlignedSquare): boolean {
  const same = (index: number) =>
    alignedFace.points[index]?.every((value, axis) => value === points[index]?.[axis]);
  return side === alignedFace.side && [...alignedFace.points.keys()].every(same);
}
