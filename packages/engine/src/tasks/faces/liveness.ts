import type { Picture } from '../../image/picture.js';
import { floatsOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import { type Frame, squareFrame } from './frame.js';
import { squareBatch } from './square-batch.js';

/** Side of the square that is looked at, in parts of the longer side of the face: the model judges its surroundings too. */
const surroundings = 2.7;

/**
 * Probability, 0 to 1, that each face is a living person before the camera and no picture of one. Advisory: nearly all
 * living people pass, but so does every other photograph of a screen or a print. Never the only guard of a door.
 */
export async function judgeLiveness(
  model: LoadedModel,
  picture: Picture,
  frames: readonly Frame[],
): Promise<number[]> {
  if (frames.length === 0) return [];
  const squares = frames.map((frame) =>
    squareFrame(frame, surroundings * Math.max(frame.width, frame.height)),
  );
  const live = floatsOf(
    model,
    await model.run({ image: await squareBatch(model, picture, squares) }),
    'live',
  );
  return frames.map((_, index) => live[index] ?? 0);
}
