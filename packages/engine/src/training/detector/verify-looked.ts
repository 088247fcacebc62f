import { floatsIn, openGraph } from '../open-graph.js';
import type { ImageAnchors } from './anchor-sample.js';
import { applyBoxBias, noBoxBias } from './box-bias.js';
import type { DetectorBackbone } from './cut-detector.js';
import type { Looking } from './export-detector.js';
import type { FoundObject } from './find-objects.js';
import { type FoldedHead, scoreAnchors } from './head.js';
import type { LookMaterial } from './look-again.js';
import { looksOf } from './looked-boxes.js';
import { clip } from './overlap.js';
import { mostBoxes } from './parts-graph.js';
import { raiseOf } from './second-look.js';
import type { ProbeImage } from './verify-export.js';

/** Sides of boxes, 0 to 1, may differ by this. */
const sideTolerance = 1e-4;
/** Scores may differ by this: a crop's pixels, rounded to bytes, follow the last digit of the box. */
const scoreTolerance = 0.03;
/** Below every score: ONNX Runtime's sigmoid is 0 at logits from -18 down. */
const noThreshold = -1;
/** A box at the limit of a rule (a part, a faint one) may fall on either side, because the graph computes in single precision. */
const mostBorderline = 0.25;

/**
 * Compares a written model that looks again at its boxes with the training: without suppression, the boxes that are looked at must be
 * in its output, with the raised score, but for a few at the limit of a rule.
 * @throws Error when it differs: a bug.
 */
export async function verifyLooked(
  backbone: DetectorBackbone,
  heads: readonly FoldedHead[],
  { look, crops }: Looking & Pick<LookMaterial, 'crops'>,
  path: string,
  images: readonly ProbeImage[],
): Promise<void> {
  const graph = await openGraph(path);
  const missing: string[] = [];
  let compared = 0;
  try {
    for (const { extracted, image, anchors } of images) {
      const looked = looksOf(highestAnchors(backbone, heads, anchors), look);
      const features = await crops.of(
        extracted,
        looked.map(({ corners }) => corners),
      );
      const outputs = await graph.run({
        image,
        score_threshold: { data: Float32Array.of(noThreshold), dims: [1] },
        iou_threshold: { data: Float32Array.of(1), dims: [1] },
      });
      const scores = floatsIn(outputs, 'scores');
      const boxes = floatsIn(outputs, 'boxes');
      const classes = outputs['classes']?.data;
      looked.forEach(({ label, score, corners }, index) => {
        const raise = raiseOf(look, label, features[index] ?? new Float32Array());
        const expected = 1 / (1 + Math.exp(-score - raise));
        const isThere = scores.some(
          (own, at) =>
            Number(classes?.[at]) === label &&
            Math.abs(own - expected) <= scoreTolerance &&
            corners.every((side, column) => Math.abs(side - (boxes[at * 4 + column] ?? 0)) <= sideTolerance),
        );
        compared += 1;
        if (!isThere) missing.push(`a box of label ${label}, score ${expected}`);
      });
    }
    if (missing.length > Math.max(1, compared * mostBorderline))
      throw new Error(`of ${compared} boxes of the training the model lacks ${missing.join('; ')}`);
  } finally {
    await graph.close();
  }
}

function highestAnchors(
  backbone: DetectorBackbone,
  heads: readonly FoldedHead[],
  anchors: ImageAnchors,
): FoundObject[] {
  const all = heads.flatMap((head, label) =>
    Array.from(scoreAnchors(backbone, head, anchors), (score, index) => ({ label, index, score })),
  );
  return all
    .sort((a, b) => b.score - a.score)
    .slice(0, mostBoxes)
    .map(({ label, index, score }) => ({
      label,
      score,
      corners: clip(applyBoxBias(anchors.corners, index, heads[label]?.boxBias ?? noBoxBias)),
    }));
}
