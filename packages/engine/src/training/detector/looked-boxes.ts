import type { FoundObject } from './find-objects.js';
import type { Corners } from './overlap.js';
import type { SecondLook } from './second-look.js';

/** Maximum of boxes of an image that are looked at again: each takes as long as three detections. */
export const maxLooks = 16;

/** A box is a part of a better one of its label from this share of the smaller one on: .6 to .8 were worse. */
export const partShare = 0.5;

/** The boxes that are looked at again, the highest scoring first: those that are no part of a better one. */
export function looksOf(
  found: readonly FoundObject[],
  { leastLogit }: Pick<SecondLook, 'leastLogit'>,
): FoundObject[] {
  return found
    .filter(
      ({ label, score, corners }, index) =>
        score >= leastLogit &&
        !found
          .slice(0, index)
          .some((better) => better.label === label && shareOfSmaller(corners, better.corners) > partShare),
    )
    .slice(0, maxLooks);
}

/** Intersection over the smaller area. */
function shareOfSmaller(a: Corners, b: Corners): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / Math.min((a[2] - a[0]) * (a[3] - a[1]), (b[2] - b[0]) * (b[3] - b[1]));
}
