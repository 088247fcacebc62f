import type { Image } from '../../image/image.js';
import { floatsOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import type { FivePoints } from './face.js';
import { fivePointsOf } from './five-points.js';
import { type Frame, faceSize, pointIn, squareFrame } from './frame.js';
import { meanOf } from './similarity.js';
import { squareBatch } from './square-batch.js';

/** Side of the examined square, and how far its centre is below that of the face, in multiples of the face's size. */
const side = 1.1;
const below = 0.05;
/** A head tilted further than this within its frame is examined again, upright: the model was trained on upright faces. */
const maxTiltDeg = 15;

/** The landmarks of each of the five points, in the order of iBUG 300-W: the six around an eye, or a single one. */
const parts = [[36, 37, 38, 39, 40, 41], [42, 43, 44, 45, 46, 47], [30], [48], [54]] as const;

/** The five points of each face, taken from the 68 of a landmark model. */
export async function locatePoints(
  model: LoadedModel,
  image: Image,
  frames: readonly Frame[],
): Promise<FivePoints[]> {
  const first = await lookAt(model, image, frames);
  const found: FivePoints[] = [];
  for (const [index, points] of first.entries()) {
    const frame = frames[index];
    const turned = frame && uprightFrame(frame, points);
    const [again] = turned ? await lookAt(model, image, [turned]) : [];
    found.push(again ?? points);
  }
  return found;
}

function uprightFrame(frame: Frame, [leftEye, rightEye]: FivePoints): Frame | undefined {
  const angleDeg = (Math.atan2(rightEye.y - leftEye.y, rightEye.x - leftEye.x) * 180) / Math.PI;
  const tiltDeg = Math.abs(((angleDeg - frame.angleDeg + 540) % 360) - 180);
  return tiltDeg > maxTiltDeg ? { ...frame, angleDeg } : undefined;
}

async function lookAt(model: LoadedModel, image: Image, frames: readonly Frame[]): Promise<FivePoints[]> {
  const squares = frames.map((frame) => {
    const size = faceSize(frame);
    const centre = pointIn(frame, 0.5, 0.5 + (below * size) / frame.height);
    return squareFrame({ ...frame, centre }, side * size);
  });
  const points = floatsOf(
    model,
    await model.run({ image: await squareBatch(model, image, squares) }),
    'points',
  );
  return squares.map((square, face) =>
    fivePointsOf((index) =>
      meanOf(
        (parts[index] ?? []).map((landmark) => {
          const offset = 2 * (68 * face + landmark);
          return pointIn(square, points[offset] ?? 0, points[offset + 1] ?? 0);
        }),
      ),
    ),
  );
}
