import type { Image } from '../../image/image.js';
import { floatsOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import { type Frame, frameWithin, ovalBox } from './frame.js';

/** A face candidate, rotated like the view in which it was found. */
export interface Candidate {
  readonly frame: Frame;
  /** 0 to 1. */
  readonly score: number;
}

/** A region of the image, and its size in pixels as input of the detector. */
export interface View {
  readonly frame: Frame;
  readonly width: number;
  readonly height: number;
}

export interface SeenView extends View {
  /** RGB interleaved. */
  readonly pixels: Uint8Array;
}

/** Of two boxes of one view that overlap by more than this, the lesser is dropped: the detector's own figure. */
const maxIou = 0.4;

/** The detector answers no more than its best candidates of a view, so many of them. */
export const maxCandidatesOfView = 1000;

/** Faces of one view, best first. */
export async function detectFaces(
  detector: LoadedModel,
  { frame, width, height, pixels }: SeenView,
  minScore: number,
): Promise<Candidate[]> {
  const outputs = await detector.run({
    image: { data: pixels, dims: [1, height, width, 3] },
    score_threshold: { data: Float32Array.of(minScore), dims: [1] },
    iou_threshold: { data: Float32Array.of(maxIou), dims: [1] },
  });
  const boxes = floatsOf(detector, outputs, 'boxes');
  const side = (index: number, at: number) => boxes[4 * index + at] ?? 0;
  return Array.from(floatsOf(detector, outputs, 'scores'), (score, index) => ({
    score,
    frame: frameWithin(frame, {
      xMin: side(index, 0),
      yMin: side(index, 1),
      xMax: side(index, 2),
      yMax: side(index, 3),
    }),
  })).filter((candidate) => candidate.frame.width > 0 && candidate.frame.height > 0);
}

/** The pixels of an upright view inside the image. */
export async function takeView(image: Image, view: View): Promise<SeenView> {
  const { frame, width, height } = view;
  const whole = frame.width === image.width && frame.height === image.height;
  const region = whole ? {} : { region: ovalBox(frame) };
  return { ...view, pixels: await image.raster({ ...region, width, height }) };
}
