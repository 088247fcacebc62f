import type { Image } from '../../image/image.js';
import type { LoadedModel } from '../task.js';
import { type Candidate, detectFaces, maxCandidatesOfView, takeView, type View } from './detect.js';
import { faceSize, ovalBox } from './frame.js';
import { hintedViews } from './hinted-views.js';
import { fineViews, guideViews, multipleOf, wholeView } from './views.js';

/**
 * A face of 16 to 28 pixels in a view has at least this score in one of half the scale: all of 209 such faces of 57 people in photographs;
 * from .2 on, 97 %.
 */
const hintScore = 0.1;
/** Larger faces, in pixels of the fine view, are found at half the scale. */
const maxHintPx = 48;

/**
 * Faces of the whole image, down to those that can be found at `scale` (pixels of a view a pixel of the image). It is looked at in half
 * that scale, and again at `scale` only where that has a trace of a face: a third of the area of photographs, a fifth of the time.
 * @param minScore of what is answered
 */
export async function searchImage(
  detector: LoadedModel,
  image: Image,
  { scale, minScore }: { readonly scale: number; readonly minScore: number },
): Promise<Candidate[]> {
  const multiple = multipleOf(detector);
  const whole = wholeView(image, multiple, scale);
  const fine = fineViews(image, multiple, scale);
  const look = async (view: View, score: number) => detectFaces(detector, await takeView(image, view), score);
  if (fine.length === 0) return look(whole, minScore);
  const lowest = Math.min(hintScore, minScore);
  const found: Candidate[] = [];
  const traces: Candidate[] = [];
  for (const view of [whole, ...guideViews(image, multiple, scale)]) {
    const candidates = await look(view, lowest);
    found.push(...candidates.filter(({ score }) => score >= minScore));
    traces.push(...candidates.filter(({ frame }) => faceSize(frame) * scale <= maxHintPx));
    // It may have left traces out.
    if (candidates.length >= maxCandidatesOfView) traces.push({ frame: view.frame, score: 1 });
  }
  const hints = traces.map(({ frame }) => ovalBox(frame));
  const hinted = hintedViews(image, hints, multiple, scale);
  for (const view of areaOf(hinted) < areaOf(fine) ? hinted : fine)
    found.push(...(await look(view, minScore)));
  return found;
}

function areaOf(views: readonly View[]): number {
  return views.reduce((sum, { width, height }) => sum + width * height, 0);
}
