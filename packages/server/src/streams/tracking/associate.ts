import { type Box, boxArea, boxIou } from '@lynceus/engine';
import { assign, type Pair } from './assign.js';
import { type AreSimilar, areMistakable } from './class-groups.js';
import type { SteadyObject } from './detections.js';

/** What is expected of a track: at one of these places. */
export interface Expected {
  readonly title: string;
  readonly places: readonly ExpectedPlace[];
}

interface ExpectedPlace {
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
/** Another class of the same group needs this overlap: two similar objects close together stay two. */
const minOtherClassIou = 0.3;
/** A class of another group needs this overlap: what carries, covers or rides an object has another box than the object. */
const minForeignClassIou = 0.6;

/**
 * Pairs tracks with objects at their places whatever their classes are, people aside: detectors take one object for a dog, a cake and a
 * suitcase from frame to frame. To be asked once no object of a similar class is left for any of the tracks. Rows are tracks.
 */
export function associateAcrossClasses(
  tracks: readonly Expected[],
  objects: readonly SteadyObject[],
): Pair[] {
  return assign(
    tracks.length,
    objects.length,
    (row, column) => {
      const [track, object] = [tracks[row], objects[column]];
      if (!track || !object || !areMistakable(track.title, object.label.title))
        return Number.POSITIVE_INFINITY;
      return 1 - Math.max(0, ...track.places.map(({ box }) => boxIou(box, object.steadyBox)));
    },
    1 - minForeignClassIou,
  );
}

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
      const track = tracks[row];
      const object = objects[column];
      return track && object ? pairCost(track, object, areSimilar) : Number.POSITIVE_INFINITY;
    },
    maxCost,
  );
}

function pairCost({ title, places }: Expected, object: SteadyObject, areSimilar: AreSimilar): number {
  const isSame = title === object.label.title;
  let least = Number.POSITIVE_INFINITY;
  if (!isSame && !areSimilar(title, object.label.title)) return least;
  for (const { box, spreadPx, extraCost } of places) {
    const iou = reachingIou(box, object.steadyBox, spreadPx);
    if (!isSame && iou < minOtherClassIou) continue;
    least = Math.min(least, 1 - iou + extraCost + (isSame ? 0 : otherClassCost));
  }
  return least;
}

/** The IoU of both boxes when they have grown on every side. Allocates nothing: it runs for every pair of every frame. */
function reachingIou(a: Box, b: Box, spreadPx: number): number {
  const size = Math.sqrt(Math.min(boxArea(a), boxArea(b)));
  const growth = 2 * Math.min(reachOfSpread * spreadPx, maxReach * size);
  const width = Math.min(a.xMax, b.xMax) - Math.max(a.xMin, b.xMin) + growth;
  const height = Math.min(a.yMax, b.yMax) - Math.max(a.yMin, b.yMin) + growth;
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (grownArea(a, growth) + grownArea(b, growth) - shared);
}

function grownArea({ xMin, yMin, xMax, yMax }: Box, growth: number): number {
  return (xMax - xMin + growth) * (yMax - yMin + growth);
}
