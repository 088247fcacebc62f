import type { Image } from '../../image/image.js';
import { floatsOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import type { Candidate } from './detect.js';
import type { FivePoints } from './face.js';
import { fivePointsOf } from './five-points.js';
import { pointIn, squareFrame } from './frame.js';
import { squareBatch } from './square-batch.js';

/** Squares in one run; more gain no time and cost memory. */
const batchSize = 32;

export interface FilteredCandidate extends Candidate {
  /** The filter's probability of a face, 0 to 1. */
  readonly probability: number;
  /** The filter's points, in pixels of the image. */
  readonly points: FivePoints;
}

/**
 * Drops candidates that a second model does not accept as a face.
 * @param minProbability 0 to 1
 */
export async function filterFaces(
  filter: LoadedModel,
  image: Image,
  candidates: readonly Candidate[],
  minProbability: number,
): Promise<FilteredCandidate[]> {
  const kept: FilteredCandidate[] = [];
  for (let start = 0; start < candidates.length; start += batchSize) {
    const some = candidates.slice(start, start + batchSize);
    const squares = some.map(({ frame }) => squareFrame(frame, Math.max(frame.width, frame.height)));
    const outputs = await filter.run({ image: await squareBatch(filter, image, squares) });
    const probabilities = floatsOf(filter, outputs, 'probability');
    const points = floatsOf(filter, outputs, 'points');
    for (const [index, candidate] of some.entries()) {
      const square = squares[index];
      const probability = probabilities[index] ?? 0;
      if (!square || probability < minProbability) continue;
      const at = (point: number) => {
        const offset = 10 * index + 2 * point;
        return pointIn(square, points[offset] ?? 0, points[offset + 1] ?? 0);
      };
      kept.push({ ...candidate, probability, points: fivePointsOf(at) });
    }
  }
  return kept;
}
