import { type Box, boxArea, type Point } from '@lynceus/engine';
import type { AreSimilar } from './class-groups.js';
import type { SeenObject } from './detections.js';

/** An object whose place is known while the camera is steady. */
export interface Landmark {
  readonly title: string;
  readonly box: Box;
}

/** Landmarks that must agree on how far the camera has turned: two may have moved together. */
const minAgreeing = 3;
/** So many more landmarks must agree with another offset than with the last one. */
const minGain = 2;
/** Largest offset, as a share of the diagonal of the frame; wind and passing lorries move less. */
const maxOffset = 0.06;
/** Distance at which two landmarks agree, as a share of the size of the lesser object. */
const tolerance = 0.2;
/** Landmarks are the largest ones, so that many objects cost no time. */
const maxLandmarks = 16;
/** Of each landmark, so many objects are tried, the nearest ones. */
const maxCandidates = 8;
/** Where too few agree, the offset fades within so long. */
const fadeMs = 2000;
const maxSizeRatio = 1.5;

interface Displacement extends Point {
  readonly landmark: number;
  readonly reach: number;
}

/**
 * How far everything is from where it is while the camera is steady, in pixels: the offset with which most landmarks agree. Every
 * landmark votes for its distance from each object that it may be, so that rows of equal objects do not mislead.
 */
export function cameraOffset(
  previous: Point,
  landmarks: readonly Landmark[],
  objects: readonly SeenObject[],
  frame: {
    readonly width: number;
    readonly height: number;
    readonly elapsedMs: number;
    readonly areSimilar: AreSimilar;
  },
): Point {
  const limit = maxOffset * Math.hypot(frame.width, frame.height);
  const votes = displacements(landmarks, objects, limit, frame.areSimilar);
  const known = agreement(previous, votes);
  let best = known;
  for (const vote of votes) {
    const found = agreement(vote, votes);
    if (found.count > best.count || (found.count === best.count && found.miss < best.miss)) best = found;
  }
  if (best.count >= minAgreeing && best.count >= known.count + minGain) return best.mean;
  if (known.count >= minAgreeing) return towards(previous, known.mean, 0.3);
  return towards(previous, { x: 0, y: 0 }, 1 - Math.exp(-Math.max(0, frame.elapsedMs) / fadeMs));
}

function displacements(
  landmarks: readonly Landmark[],
  objects: readonly SeenObject[],
  limit: number,
  areSimilar: AreSimilar,
): Displacement[] {
  const largest = [...landmarks].sort((a, b) => boxArea(b.box) - boxArea(a.box)).slice(0, maxLandmarks);
  return largest.flatMap(({ title, box }, landmark) => {
    const [at, size] = [centre(box), sizeOf(box)];
    return objects
      .flatMap((object) => {
        const ratio = sizeOf(object.box) / size;
        if (ratio > maxSizeRatio || ratio < 1 / maxSizeRatio || !areSimilar(title, object.label.title))
          return [];
        const to = centre(object.box);
        const by = { x: to.x - at.x, y: to.y - at.y };
        const reach = tolerance * Math.min(size, sizeOf(object.box));
        const distance = Math.hypot(by.x, by.y);
        return distance <= limit ? [{ ...by, landmark, reach, distance }] : [];
      })
      .sort((a, b) => a.distance - b.distance)
      .slice(0, maxCandidates);
  });
}

/** How many landmarks agree with an offset, where they put it in the mean, and how far they are from it. */
function agreement({ x, y }: Point, votes: readonly Displacement[]) {
  let [count, miss, sumX, sumY, landmark, nearest] = [0, 0, 0, 0, -1, Number.POSITIVE_INFINITY];
  let [nearestX, nearestY] = [0, 0];
  const close = () => {
    if (nearest === Number.POSITIVE_INFINITY) return;
    count += 1;
    miss += nearest;
    sumX += nearestX;
    sumY += nearestY;
  };
  for (const vote of votes) {
    if (vote.landmark !== landmark) {
      close();
      landmark = vote.landmark;
      nearest = Number.POSITIVE_INFINITY;
    }
    const distance = Math.hypot(vote.x - x, vote.y - y);
    if (distance > vote.reach || distance >= nearest) continue;
    nearest = distance;
    nearestX = vote.x;
    nearestY = vote.y;
  }
  close();
  return { count, miss, mean: count > 0 ? { x: sumX / count, y: sumY / count } : { x, y } };
}

function towards(from: Point, to: Point, share: number): Point {
  return { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
}

function centre({ xMin, yMin, xMax, yMax }: Box): Point {
  return { x: (xMin + xMax) / 2, y: (yMin + yMax) / 2 };
}

function sizeOf(box: Box): number {
  return Math.sqrt(boxArea(box));
}
