import type { AnchorSample } from './anchor-sample.js';
import { countAnchors } from './anchor-sample.js';
import type { BoxBias } from './box-bias.js';
import type { DetectorBackbone } from './cut-detector.js';
import { dotAt } from './dot.js';
import type { Scaling } from './scaling.js';

/**
 * One label's scorer of scaled inputs: the logit of an anchor is `bias`, its own `shapes` entry (level by level, anchors
 * of a cell in order), `logits` over the backbone's own logits, the same at every level, and its level's `levels` over the
 * features.
 */
export interface LabelHead {
  readonly bias: number;
  readonly shapes: Float64Array;
  readonly logits: Float64Array;
  readonly levels: readonly Float64Array[];
}

/** The same as a linear map of a cell's raw features, as the 1x1 convolution of a graph takes it. */
interface ScoreMap {
  /** A level each: [anchorsPerCell, dims] */
  readonly weights: readonly Float32Array[];
  /** A level each: [anchorsPerCell] */
  readonly biases: readonly Float32Array[];
}

/** Everything that a graph needs for a label: the score of an anchor, and the correction of its boxes. */
export interface FoldedHead extends ScoreMap {
  readonly boxBias: BoxBias;
}

/** Scaling and the backbone's own logits are linear too, so that everything folds into one map. */
export function foldHead(
  { levels, classes }: DetectorBackbone,
  { logits, levels: scales }: Scaling,
  head: LabelHead,
): ScoreMap {
  const weights: Float32Array[] = [];
  const biases: Float32Array[] = [];
  let shape = 0;
  levels.forEach((level, index) => {
    const { dims, anchorsPerCell } = level;
    const map = new Float64Array(anchorsPerCell * dims);
    const constants = new Float64Array(anchorsPerCell);
    const { means, spreads } = scales[index] ?? { means: [], spreads: [] };
    for (let anchor = 0; anchor < anchorsPerCell; anchor++) {
      let constant = head.bias + (head.shapes[shape++] ?? 0);
      for (let dim = 0; dim < dims; dim++) {
        const weight = (head.levels[index]?.[dim] ?? 0) / (spreads[dim] ?? 1);
        map[anchor * dims + dim] = weight;
        constant -= weight * (means[dim] ?? 0);
      }
      for (let column = 0; column < classes; column++) {
        const share = (head.logits[column] ?? 0) / (logits.spreads[column] ?? 1);
        const row = anchor * classes + column;
        constant += share * ((level.biases[row] ?? 0) - (logits.means[column] ?? 0));
        for (let dim = 0; dim < dims; dim++) {
          const at = anchor * dims + dim;
          map[at] = (map[at] ?? 0) + share * (level.weights[row * dims + dim] ?? 0);
        }
      }
      constants[anchor] = constant;
    }
    weights.push(Float32Array.from(map));
    biases.push(Float32Array.from(constants));
  });
  return { weights, biases };
}

/** Logits of every anchor of a sample. */
export function scoreAnchors(backbone: DetectorBackbone, head: ScoreMap, sample: AnchorSample): Float32Array {
  const scores = new Float32Array(countAnchors(backbone, sample));
  let at = 0;
  backbone.levels.forEach(({ dims, anchorsPerCell }, level) => {
    const features = sample.levels[level] ?? new Float32Array();
    const weights = head.weights[level] ?? new Float32Array();
    const biases = head.biases[level] ?? new Float32Array();
    for (let cell = 0; cell < features.length; cell += dims) {
      for (let anchor = 0; anchor < anchorsPerCell; anchor++) {
        scores[at++] = (biases[anchor] ?? 0) + dotAt(features, cell, weights, anchor * dims, dims);
      }
    }
  });
  return scores;
}
