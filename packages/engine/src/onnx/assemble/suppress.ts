import { elementsOf } from '../graph/element-type.js';
import type { GraphBuilder } from '../graph/graph-builder.js';
import type { Value } from '../graph/value.js';

export interface DetectorCandidates {
  /** f32 [1,n,4]: two opposite corners, relative to the image (0..1). */
  readonly corners: Value;
  /** Columns of `corners` that hold xMin, yMin, xMax, yMax. */
  readonly columns: readonly [number, number, number, number];
  /** f32 [1,classes,n]. */
  readonly scores: Value;
  readonly maxPerClass: number;
  /**
   * f32 [classes,4]: by what share of its width (left, right) or height (top, bottom) each side of a box of the class is
   * moved outward, after suppression.
   */
  readonly boxBiases?: Value;
  /** True for a single class: the output `classes` is then absent. */
  readonly oneClass?: boolean;
}

/** What remains after suppression. */
interface KeptBoxes {
  /** f32 [n,4]: xMin, yMin, xMax, yMax, 0 to 1. */
  readonly boxes: Value;
  /** f32 [n] */
  readonly scores: Value;
  /** int64 [n] */
  readonly classes: Value;
  /** int64 [n,3]: indexes into `scores` of the candidates. */
  readonly indexes: Value;
}

/**
 * The common end of every detector: suppression within each class, with both thresholds as inputs of the model, and
 * the outputs of the family. A box is kept when its score is above `score_threshold` and its intersection over union
 * with a better box of its class is at most `iou_threshold`.
 */
export function writeDetections(builder: GraphBuilder, candidates: DetectorCandidates): void {
  const { boxes, scores, classes } = suppressCandidates(builder, candidates);
  builder.output('boxes', boxes, ['detections', 4]);
  builder.output('scores', scores, ['detections']);
  if (candidates.oneClass !== true) builder.output('classes', classes, ['detections']);
}

/** @param leastScore Boxes from this score on are kept too where the threshold is higher. */
export function suppressCandidates(
  builder: GraphBuilder,
  candidates: DetectorCandidates,
  leastScore = 1,
): KeptBoxes {
  const { corners, columns, scores, maxPerClass, boxBiases } = candidates;
  const asked = builder.input('score_threshold', 'float32', [1]);
  const least = builder.constant('float32', [1], Float32Array.of(leastScore), 'least_score');
  const scoreThreshold = leastScore < 1 ? builder.node('Min', [asked, least], {}, asked) : asked;
  const iouThreshold = builder.input('iou_threshold', 'float32', [1]);
  const limit = builder.integers([maxPerClass], 'max_per_class');
  const kept = builder.node(
    'NonMaxSuppression',
    [corners, scores, limit, iouThreshold, scoreThreshold],
    {},
    {
      type: 'int64',
      dims: [-1, 3],
    },
  );
  const column = (index: number) =>
    builder.node(
      'Gather',
      [kept, builder.scalar('int64', index)],
      { axis: 1 },
      { type: 'int64', dims: [-1] },
    );

  const rows = builder.constant('int64', [2], elementsOf('int64', [-1, 4]), 'rows');
  const list = builder.node('Reshape', [corners, rows], {}, { type: 'float32', dims: [-1, 4] });
  const keptCorners = builder.node(
    'Gather',
    [list, column(2)],
    { axis: 0 },
    { type: 'float32', dims: [-1, 4] },
  );
  const ordered = builder.node(
    'Gather',
    [keptCorners, builder.integers(columns, 'columns')],
    { axis: 1 },
    {
      type: 'float32',
      dims: [-1, 4],
    },
  );
  const limits = [builder.scalar('float32', 0), builder.scalar('float32', 1)];
  const placed = boxBiases ? moveSides(builder, ordered, boxBiases, column(1)) : ordered;
  const inside = builder.node('Clip', [placed, ...limits], {}, { type: 'float32', dims: [-1, 4] });
  const keptScores = builder.node('GatherND', [scores, kept], {}, { type: 'float32', dims: [-1] });
  return { boxes: inside, scores: keptScores, classes: column(1), indexes: kept };
}

/** @param boxes f32 [n,4]: xMin, yMin, xMax, yMax. @param classes int64 [n] */
function moveSides(builder: GraphBuilder, boxes: Value, boxBiases: Value, classes: Value): Value {
  const like = { type: 'float32', dims: [-1, 4] } as const;
  const facing = builder.node(
    'Gather',
    [boxes, builder.integers([2, 3, 0, 1], 'facing_sides')],
    { axis: 1 },
    like,
  );
  const byBox = builder.node('Gather', [boxBiases, classes], { axis: 0 }, like);
  // A side minus the opposite side: the width or height, with the sign of the outward direction.
  const extents = builder.node('Sub', [boxes, facing], {}, like);
  return builder.node('Add', [boxes, builder.node('Mul', [extents, byBox], {}, like)], {}, like);
}
