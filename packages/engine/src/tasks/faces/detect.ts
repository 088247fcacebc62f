import type { Picture } from '../../image/picture.js';
import { floatsOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import { type Frame, frameWithin, takeFrame } from './frame.js';

/** Where a face may be, turned like the view in which it was seen. */
export interface Candidate {
  readonly frame: Frame;
  /** 0 to 1. */
  readonly score: number;
}

/** A part of the picture, and the size in pixels at which the detector sees it. */
export interface View {
  readonly frame: Frame;
  readonly width: number;
  readonly height: number;
}

/** Of two boxes of one view that overlap by more than this, the lesser is dropped: the detector's own figure. */
const maxIou = 0.4;

/** Faces of one view, best first. */
export async function detectFaces(
  detector: LoadedModel,
  picture: Picture,
  view: View,
  minScore: number,
): Promise<Candidate[]> {
  const { frame, width, height } = view;
  const outputs = await detector.run({
    image: { data: await takeView(picture, view), dims: [1, height, width, 3] },
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

/** Upright views lie inside the picture and are cut by the image library, in a third of the time of a turned one. */
function takeView(picture: Picture, { frame, width, height }: View): Promise<Uint8Array> {
  if (frame.angleDeg !== 0) return takeFrame(picture, frame, { width, height });
  const { centre } = frame;
  const [halfWidth, halfHeight] = [frame.width / 2, frame.height / 2];
  const region = {
    xMin: centre.x - halfWidth,
    yMin: centre.y - halfHeight,
    xMax: centre.x + halfWidth,
    yMax: centre.y + halfHeight,
  };
  return picture.raster({ region, width, height });
}
