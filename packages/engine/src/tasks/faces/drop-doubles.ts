import { faceSize } from './frame.js';
import { frameOfPoints, type RefinedCandidate } from './refine.js';

/**
 * Centres of two faces nearer than this, in multiples of the smaller face's size, are those of one face: even faces cheek by cheek
 * have theirs farther apart.
 */
const minApart = 0.5;

/**
 * One candidate a face, in the order of before: of two the one of which the filter is more certain once it is upright. The detector's
 * boxes of a face that lies on its side can lie beside each other, one of each way of turning it; eyes, nose and mouth do not.
 */
export function dropDoubles(faces: readonly RefinedCandidate[]): RefinedCandidate[] {
  const kept: { readonly face: RefinedCandidate; readonly frame: ReturnType<typeof frameOfPoints> }[] = [];
  for (const face of faces.toSorted((a, b) => b.refinedProbability - a.refinedProbability)) {
    const frame = frameOfPoints(face.points);
    const isKnown = kept.some(({ frame: better }) => {
      const apart = Math.hypot(better.centre.x - frame.centre.x, better.centre.y - frame.centre.y);
      return apart < minApart * Math.min(faceSize(better), faceSize(frame));
    });
    if (!isKnown) kept.push({ face, frame });
  }
  return faces.filter((face) => kept.some((one) => one.face === face));
}
