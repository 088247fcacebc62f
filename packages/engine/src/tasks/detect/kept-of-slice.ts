import { type Box, boxArea, boxIntersection } from '../../image/box.js';
import type { Candidate } from './fuse.js';
import { endsNearCut, isCut, type Size } from './slices.js';

/**
 * By this a score of a slice is multiplied: without what is around it, a part of a thing resembles another one. Of .6 to 1, with the
 * least loss of small objects where large ones are not taken for several (`npm run bench -- small-objects`, half `tune`).
 */
const sliceTrust = 0.7;
/** Share of a box that lies in a larger one of its class, found in the whole image, for a part of that. */
const partShare = 0.8;
/** Own score from which a box of the whole image has parts. */
const minWholeScore = 0.1;

/**
 * What a slice adds to the boxes of the whole image, in pixels of the image: no box that a border of the slice cuts, and none near
 * such a border that is a part of a box of the whole.
 */
export function keptOfSlice(
  seen: readonly Candidate[],
  slice: Box,
  { image, whole }: { readonly image: Size; readonly whole: readonly Candidate[] },
): Candidate[] {
  return seen
    .filter(({ box }) => !isCut(box, slice, image))
    .filter(
      (candidate) =>
        !endsNearCut(candidate.box, slice, image) || !whole.some((other) => isPartOf(candidate, other)),
    )
    .map((candidate) => ({ ...candidate, score: candidate.score * sliceTrust }));
}

function isPartOf({ box, classIndex }: Candidate, whole: Candidate): boolean {
  return (
    whole.classIndex === classIndex &&
    whole.score >= minWholeScore &&
    boxArea(whole.box) > boxArea(box) &&
    boxIntersection(whole.box, box) >= partShare * boxArea(box)
  );
}
