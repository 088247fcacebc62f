import type { Point } from '../../image/box.js';
import type { Image } from '../../image/image.js';
import type { LoadedModel } from '../task.js';
import { alignFace } from './align.js';
import { alignedFace } from './aligned-face.js';
import type { FivePoints } from './face.js';
import { type FilteredCandidate, filterFaces } from './filter.js';
import { type Frame, pointIn } from './frame.js';
import { locatePoints } from './landmarks.js';

export interface RefineModels {
  /** Confirms faces, and gives five points of each. */
  readonly filter: LoadedModel;
  /** Absent: the points of the filter are used. */
  readonly landmarks?: LoadedModel | undefined;
}

export interface RefinedCandidate extends FilteredCandidate {
  /** The filter's probability of a face, 0 to 1, once the face is upright and centred. */
  readonly refinedProbability: number;
  /**
   * Mean distance between the points of two models in the same frame (of one model in two frames where there is no landmark
   * model), as a fraction of the size of the face; 0 where they agree.
   */
  readonly landmarkDisagreement: number;
}

/** The side of an aligned square, as a multiple of the size of the face in it. */
const alignedSide = 1.1;
/** How far the centre of a face's box is below that of its aligned square, and the proportions of such a box. */
const below = 0.1;
const slimness = 1.12;

/**
 * Points of faces, found again in a frame made from the filter's points: the detector's box may be off by a third of a face, and
 * then a landmark model, which expects a face in its centre, is wrong without a sign of it.
 */
export async function refineFaces(
  { filter, landmarks }: RefineModels,
  image: Image,
  faces: readonly FilteredCandidate[],
): Promise<RefinedCandidate[]> {
  if (faces.length === 0) return [];
  const frames = faces.map(({ points }) => frameOfPoints(points));
  const again = await filterFaces(
    filter,
    image,
    frames.map((frame) => ({ frame, score: 1 })),
    0,
  );
  const located = landmarks && (await locatePoints(landmarks, image, frames));
  return faces.map((face, index) => {
    const [frame, second] = [frames[index], again[index]];
    const points = located?.[index] ?? second?.points ?? face.points;
    const other = located ? (second?.points ?? face.points) : face.points;
    return {
      ...face,
      points,
      refinedProbability: second?.probability ?? 0,
      landmarkDisagreement: distance(points, other) / (frame?.width ?? 1),
    };
  });
}

/** The box of a face whose eyes, nose and mouth are at these points, tilted like the face. */
export function frameOfPoints(points: FivePoints): Frame {
  const aligned = alignFace(points, alignedFace);
  const size = aligned.width / alignedSide;
  return {
    centre: pointIn(aligned, 0.5, 0.5 + below / alignedSide),
    width: size / slimness,
    height: size * slimness,
    angleDeg: aligned.angleDeg,
  };
}

function distance(points: FivePoints, others: FivePoints): number {
  const apart = (point: Point, other: Point) => Math.hypot(point.x - other.x, point.y - other.y);
  return points.reduce((sum, point, index) => sum + apart(point, others[index] ?? point), 0) / points.length;
}
