import { EngineError } from '../../errors.js';
import type { Image } from '../../image/image.js';
import type { LoadedModel, Tensor } from '../task.js';
import { type Frame, takeFrame } from './frame.js';

/** Regions of the image, as squares, as one input of a model: uint8 [n,side,side,3]. */
export async function squareBatch(
  model: LoadedModel,
  image: Image,
  frames: readonly Frame[],
): Promise<Tensor> {
  const side = sideOf(model);
  const squares: Uint8Array[] = [];
  for (const frame of frames) squares.push(await takeFrame(image, frame, { width: side, height: side }));
  return joinSquares(squares, side);
}

/** Pixels of squares, RGB interleaved, as one input: uint8 [n,side,side,3]. */
export function joinSquares(squares: readonly Uint8Array[], side: number): Tensor {
  const bytes = side * side * 3;
  const data = new Uint8Array(squares.length * bytes);
  for (const [index, square] of squares.entries()) data.set(square, index * bytes);
  return { data, dims: [squares.length, side, side, 3] };
}

function sideOf({ ref, manifest: { input } }: LoadedModel): number {
  if (input.fit === 'square' || input.fit === 'aligned') return input.side;
  throw new EngineError(
    'model-missing',
    `model ${ref.id} does not look at squares; choose a model made for this step of recognising faces`,
  );
}
