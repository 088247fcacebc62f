import { type Box, boxArea, boxIou } from '@lynceus/engine';
import { assign, type Pair } from './assign.js';
import type { AreSimilar } from './class-groups.js';
import type { SteadyObject } from './detections.js';

/** What is expected of a track: at one of these places. */
export interface Expected {
  readonly title: string;
  readonly places: readonly ExpectedPlace[];
}

export interface ExpectedPlace {
  readonly box: Box;
  /** Standard deviation of its centre in pixels. */
  readonly spreadPx: number;
  /** Added to the cost of every object there. */
  readonly extraCost: number;
}

/**
 * Both boxes grow by so many standard deviations of the expected place, at most by so many sizes of the lesser one. Chosen by
 * bench/tracking: without growth IDF1 is .15 less, for the slow scenes .5.
 */
const reachOfSpread = 1.2;
const maxReach = 1.6;
/** Cost of another class of the same group. */
const otherClassCost = 0.1;
/** Another class needs this overlap: two similar objects close together stay two. */
const minOtherClassIou = 0.3;

/**
 * Pairs tracks with objects: rows are tracks. The cost is 1 less the IoU of both boxes after they have grown by the uncertainty of the
 * expected place (C-BIoU, Yang et al. 2023, with the reach of the Kalman filter), so that objects are found again that moved by more than
 * their size between two frames.
 */
export function associate(
  tracks: readonly Expected[],
  objects: readonly SteadyObject[],
  areSimilar: AreSimilar,
  maxCost: number,
): Pair[] {
  return assign(
    tracks.length,
    objects.length,
    (row, column) => {
      const [track, object] = [tracks[row], objects[column]];
      if (!track || !object) return Number.POSITIVE_INFINITY;
      const isSame = track.title === object.label.title;
      if (!isSame && !areSimilar(track.title, object.label.title)) return Number.POSITIVE_INFINITY;
      const costs = track.places.map(({ box, spreadPx, extraCost }) => {
        const iou = reachingIou(box, object.steadyBox, spreadPx);
        if (isSame) return 1 - iou + extraCost;
        return iou < minOtherClassIou ? Number.POSITIVE_INFINITY : 1 - iou + extraCost + otherClassCost;
      });
      return Math.min(...costs);
    },
    maxCost,
  );
}

function reachingIou(a: Box, b: Box, spreadPx: number): number {
  const size = Math.sqrt(Math.min(boxArea(a), boxArea(b)));
  const reach = Math.min(reachOfSpread * spreadPx, maxReach * size);
  return boxIou(grow(a, reach), grow(b, reach));
}

function grow({ xMin, yMin, xMax, yMax }: Box, by: number): Box {
  return { xMin: xMin - by, yMin: yMin - by, xMax: xMax + by, yMax: yMax + by };
}
