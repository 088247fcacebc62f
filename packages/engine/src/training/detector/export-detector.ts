import type { InputGeometry, Label, ModelRef } from '../../catalog/manifest.js';
import { resampling } from '../../image/pixels.js';
import { type DetectorCandidates, writeDetections } from '../../onnx/assemble/suppress.js';
import { GraphBuilder } from '../../onnx/graph/graph-builder.js';
import { concat, reshape, transpose } from '../../onnx/graph/move.js';
import type { Value } from '../../onnx/graph/value.js';
import { writeModel } from '../../onnx/proto/codec.js';
import type { Entry } from '../../onnx/proto/model.js';
import type { LoadedBackbone } from '../extract-features.js';
import { joinModels } from '../join-models.js';
import { cropSide, withFeatures } from './crop-graph.js';
import type { DetectorBackbone } from './cut-detector.js';
import type { FoldedHead } from './head.js';
import { withSecondLook, writeLooked } from './look-graph.js';
import type { SecondLook } from './second-look.js';

interface DetectorFacts {
  readonly title: string;
  readonly labels: readonly Label[];
  readonly input: Extract<InputGeometry, { fit: 'squash' }>;
  readonly backbone: ModelRef;
}

/** Maximum of boxes per label and image. */
const maxPerClass = 100;

/** What looks again at found boxes. */
export interface Looking {
  /** On the line of the heads. */
  readonly look: SecondLook;
  readonly classifier: LoadedBackbone;
}

/**
 * One graph from the image's bytes to suppressed boxes: the frozen backbone, a 1x1 convolution a level for the labels,
 * the backbone's own boxes with their sides moved by label, and where there is a second look, a classifier behind. It keeps the
 * contract of the family `detector`, and its metadata replaces the manifest.
 * @param cells Of each level.
 */
export function writeDetector(
  backbone: DetectorBackbone,
  heads: readonly FoldedHead[],
  cells: readonly number[],
  facts: DetectorFacts,
  looking?: Looking,
): Uint8Array {
  const builder = new GraphBuilder();
  const candidates = writeHeads(builder, backbone, heads, cells);
  const joint = [...backbone.levels.map(({ features }) => features), backbone.corners];
  if (looking) {
    const { width, height } = facts.input;
    const image = builder.input('image', 'uint8', [1, height, width, 3]);
    writeLooked(builder, image, candidates, looking.look, cropSide(looking.classifier));
    joint.push('image');
  } else {
    writeDetections(builder, candidates);
  }
  const found = joinModels(backbone.model, builder.finish('detector'), joint, 'head');
  const model = looking ? withSecondLook(withFeatures(found, looking.classifier), looking.look) : found;
  return writeModel({ ...model, metadataProps: metadataOf(facts) });
}

interface HeadCandidates extends DetectorCandidates {
  /** f32 [1,labels,anchors], from which the scores are. */
  readonly logits: Value;
}

function writeHeads(
  builder: GraphBuilder,
  backbone: DetectorBackbone,
  heads: readonly FoldedHead[],
  cells: readonly number[],
): HeadCandidates {
  const labels = heads.length;
  const levels = backbone.levels.map(({ features, dims, anchorsPerCell }, level) => {
    const count = cells[level] ?? 0;
    const side = Math.round(Math.sqrt(count));
    const input = builder.input(features, 'float32', [1, dims, side, side]);
    const weights = interleave(heads, ({ weights }) => weights[level], anchorsPerCell, dims);
    const biases = interleave(heads, ({ biases }) => biases[level], anchorsPerCell, 1);
    const rows = anchorsPerCell * labels;
    const logits = builder.node(
      'Conv',
      [
        input,
        builder.constant('float32', [rows, dims, 1, 1], weights, 'labels'),
        builder.constant('float32', [rows], biases, 'label_biases'),
      ],
      { kernel_shape: [1, 1] },
      { type: 'float32', dims: [1, rows, side, side] },
    );
    return reshape(builder, transpose(builder, logits, [0, 2, 3, 1]), [1, count * anchorsPerCell, labels]);
  });
  const joined = concat(builder, levels, 1);
  const logits = transpose(builder, joined, [0, 2, 1]);
  const scores = builder.node('Sigmoid', [logits], {}, logits);
  const anchors = joined.dims[1] ?? 0;
  const corners: Value = builder.input(backbone.corners, 'float32', [1, anchors, 4]);
  const sides = Float32Array.from(heads.flatMap(({ boxBias }) => [...boxBias]));
  const boxBiases = builder.constant('float32', [labels, 4], sides, 'outsets');
  return { corners, columns: backbone.columns, scores, logits, maxPerClass, boxBiases };
}

/** Rows in the order anchor, label: as in the backbone's own predictor. */
function interleave(
  heads: readonly FoldedHead[],
  part: (head: FoldedHead) => Float32Array | undefined,
  anchors: number,
  dims: number,
): Float32Array {
  const rows = new Float32Array(anchors * heads.length * dims);
  heads.forEach((head, label) => {
    const values = part(head) ?? new Float32Array();
    for (let anchor = 0; anchor < anchors; anchor++) {
      const row = values.subarray(anchor * dims, (anchor + 1) * dims);
      rows.set(row, (anchor * heads.length + label) * dims);
    }
  });
  return rows;
}

/** Everything that a user of the ONNX file alone needs, as `metadata_props`. */
function metadataOf({ title, labels, input, backbone }: DetectorFacts): Entry[] {
  const { width, height } = input;
  const entries = {
    title,
    labels: JSON.stringify(labels.map((label) => label.title)),
    label_ids: JSON.stringify(labels.map((label) => label.id)),
    input: JSON.stringify(input),
    preprocessing: `The image as it is meant to be seen (turned by its EXIF orientation), RGB, 8 bit, alpha over white; resized by ${resampling} to ${width} x ${height}, the aspect ratio not kept; as uint8 [1,${height},${width},3] in the input "image". Nothing is subtracted or divided.`,
    thresholds:
      'score_threshold f32 [1], 0.4 is a good one; iou_threshold f32 [1], above which of two boxes of a label the lesser is dropped, 0.45 is a good one',
    output:
      'boxes f32 [n,4]: xMin, yMin, xMax, yMax relative to the image, 0 to 1; scores f32 [n], 0 to 1; classes int64 [n], in the order of labels',
    backbone: `${backbone.id} ${backbone.version}`,
  };
  return Object.entries(entries).map(([key, value]) => ({ key, value }));
}
