import type { ImageAnchors } from './anchor-sample.js';
import { applyBoxBias } from './box-bias.js';
import type { DetectorBackbone } from './cut-detector.js';
import { type FoldedHead, scoreAnchors } from './head.js';
import { type Corners, clip, clippedCorners, overlap } from './overlap.js';

export interface FoundObject {
  readonly label: number;
  /** Logit. */
  readonly score: number;
  /** Relative to the image, clipped to it. */
  readonly corners: Corners;
}

/** Suppression as in predictions unless given. */
const maxOverlap = 0.45;
/** Maximum of anchors per label, the highest scoring ones; the rest is noise. */
const maxLooked = 300;
/** As in predictions. */
const maxFound = 100;

/** Detections of heads, one per label, in an image: suppressed within a label, best first. */
export function findObjects(
  backbone: DetectorBackbone,
  heads: readonly FoldedHead[],
  anchors: ImageAnchors,
): FoundObject[] {
  return heads
    .flatMap((head, label) => {
      const scores = scoreAnchors(backbone, head, anchors);
      return suppress(scores, anchors.corners).map((index) => ({
        label,
        score: scores[index] ?? 0,
        corners: clip(applyBoxBias(anchors.corners, index, head.boxBias)),
      }));
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, maxFound);
}

/** Greedy suppression; returns indexes of the kept anchors, best first. */
function suppress(scores: Float32Array, corners: Float32Array): number[] {
  const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)).slice(0, maxLooked);
  const kept: { readonly index: number; readonly corners: Corners }[] = [];
  for (const index of order) {
    if (kept.every((better) => overlap(corners, index, better.corners) <= maxOverlap))
      kept.push({ index, corners: clippedCorners(corners, index) });
  }
  return kept.map(({ index }) => index);
}
