import { floatsIn, openGraph } from '../open-graph.js';
import type { ImageAnchors } from './anchor-sample.js';
import { applyBoxBias, type BoxBias, noBoxBias } from './box-bias.js';
import type { DetectorBackbone } from './cut-detector.js';
import type { ExtractedImage } from './extract-anchors.js';
import { type FoldedHead, scoreAnchors } from './head.js';
import { clip } from './overlap.js';

export interface ProbeImage {
  readonly extracted: ExtractedImage;
  /** uint8 [1,h,w,3] */
  readonly image: { readonly data: Uint8Array; readonly dims: readonly number[] };
  /** Fresh from the backbone, not rounded by a cache. */
  readonly anchors: ImageAnchors;
}

/** Scores and sides of boxes, 0 to 1, may differ by this. */
const tolerance = 1e-4;

/**
 * Compares a written model with the training: without suppression, every box of its output must be an anchor
 * of that score.
 * @throws Error when it differs: a bug.
 */
export async function verifyExport(
  backbone: DetectorBackbone,
  heads: readonly FoldedHead[],
  path: string,
  images: readonly ProbeImage[],
): Promise<void> {
  const graph = await openGraph(path);
  try {
    for (const { image, anchors } of images) {
      const own = heads.map((head) => Float32Array.from(scoreAnchors(backbone, head, anchors), sigmoid));
      // The best label's tenth anchor: some boxes to compare, whatever the scores of the image.
      const threshold = Math.max(...own.map((scores) => scores.toSorted().at(-10) ?? 0));
      const outputs = await graph.run({
        image,
        score_threshold: { data: Float32Array.of(threshold), dims: [1] },
        iou_threshold: { data: Float32Array.of(1), dims: [1] },
      });
      const scores = floatsIn(outputs, 'scores');
      const boxes = floatsIn(outputs, 'boxes');
      const classes = outputs['classes']?.data;
      const expected = own.reduce(
        (sum, label) => sum + label.filter((score) => score > threshold + tolerance).length,
        0,
      );
      if (scores.length < expected)
        throw new Error(`the model gives ${scores.length} boxes where the training has ${expected}`);
      scores.forEach((score, at) => {
        const label = classes instanceof BigInt64Array ? Number(classes[at]) : 0;
        const box = boxes.subarray(at * 4, at * 4 + 4);
        const known = {
          scores: own[label] ?? new Float32Array(),
          boxBias: heads[label]?.boxBias ?? noBoxBias,
        };
        if (!isKnown(known, anchors.corners, score, box))
          throw new Error(
            `the model gives a box of label ${label}, score ${score}, that the training has not`,
          );
      });
    }
  } finally {
    await graph.close();
  }
}

function isKnown(
  own: { readonly scores: Float32Array; readonly boxBias: BoxBias },
  corners: Float32Array,
  score: number,
  box: Float32Array,
): boolean {
  return own.scores.some(
    (mine, index) =>
      Math.abs(mine - score) <= tolerance &&
      clip(applyBoxBias(corners, index, own.boxBias)).every(
        (side, at) => Math.abs(side - (box[at] ?? 0)) <= tolerance,
      ),
  );
}

function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
