import type { Image } from '../../image/image.js';
import { floatsOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import type { Frame } from './frame.js';
import { squareBatch } from './square-batch.js';

/** The part that is looked at, in parts of the face: the model judges a face with its surroundings. */
const surroundings = 2.7;

/**
 * Probability, 0 to 1, that each face is a living person before the camera and no image of one. Advisory: nearly all
 * living people pass, but so does every other photograph of a screen or a print. Never the only guard of a door.
 */
export async function judgeLiveness(
  model: LoadedModel,
  image: Image,
  frames: readonly Frame[],
): Promise<number[]> {
  if (frames.length === 0) return [];
  const parts = frames.map((frame) => surroundingsOf(frame, image));
  const live = floatsOf(model, await model.run({ image: await squareBatch(model, image, parts) }), 'live');
  return frames.map((_, index) => live[index] ?? 0);
}

/** What the model was made for: as much around the face as the image has, moved inside it, of the face's proportions. */
function surroundingsOf(frame: Frame, image: Image): Frame {
  const { centre, width, height } = frame;
  const times = Math.min(surroundings, image.width / width, image.height / height);
  const inside = (at: number, length: number, limit: number) =>
    Math.min(Math.max(at, length / 2), limit - length / 2);
  return {
    ...frame,
    centre: {
      x: inside(centre.x, times * width, image.width),
      y: inside(centre.y, times * height, image.height),
    },
    width: times * width,
    height: times * height,
  };
}
