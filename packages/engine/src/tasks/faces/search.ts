import type { Image } from '../../image/image.js';
import type { LoadedModel } from '../task.js';
import { type Candidate, detectFaces, maxCandidatesOfView, takeView, type View } from './detect.js';
import { faceSize, ovalBox } from './frame.js';
import { hintedViews } from './hinted-views.js';
import { fineViews, guideViews, multipleOf, wholeView } from './views.js';

/**
 * Of 209 views in which faces of 16 to 24 pixels were found, 208 had a candidate of at least this score there at half the scale; at .2
 * it is 97 %. Below it are hundreds of candidates in every photograph.
 */
const hintScore = 0.12;
/** Larger faces, in pixels of the fine view, are found at half the scale. */
const maxHintPx = 48;

/**
 * Faces of the whole image, down to those that can be found at `scale` (pixels of a view a pixel of the image). It is looked at in half
 * that scale, and again at `scale` only where that has a trace of a face: a sixth of the area of photographs.
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
  for (const view of costOf(hinted) < costOf(fine) ? hinted : fine)
    found.push(...(await look(view, minScore)));
  return found;
}

/** In pixels: a run takes as long as so many more. */
const runPx = 20_000;

function costOf(views: readonly View[]): number {
  return views.reduce((sum, { width, height }) => sum + width * height + runPx, 0);
}
