import { EngineError } from '../../errors.js';
import type { Picture } from '../../image/picture.js';
import type { LoadedModel, Tensor } from '../task.js';
import { type Frame, takeFrame } from './frame.js';

/** Parts of the picture, brought to squares, as one input of a model that wants such: uint8 [n,side,side,3]. */
export async function squareBatch(
  model: LoadedModel,
  picture: Picture,
  frames: readonly Frame[],
): Promise<Tensor> {
  const side = sideOf(model);
  const bytes = side * side * 3;
  const data = new Uint8Array(frames.length * bytes);
  for (const [index, frame] of frames.entries()) {
    data.set(await takeFrame(picture, frame, { width: side, height: side }), index * bytes);
  }
  return { data, dims: [frames.length, side, side, 3] };
}

function sideOf({ ref, manifest: { input } }: LoadedModel): number {
  if (input.fit === 'square' || input.fit === 'aligned') return input.side;
  throw new EngineError(
    'model-missing',
    `model ${ref.id} does not look at squares; choose a model made for this step of recognising faces`,
  );
}
