import { elementsOf } from '../graph/element-type.js';
import type { GraphBuilder } from '../graph/graph-builder.js';
import type { Value } from '../graph/value.js';

export interface DetectorCandidates {
  /** f32 [1,n,4]: two opposite corners, relative to the picture (0..1). */
  readonly corners: Value;
  /** Columns of `corners` that hold xMin, yMin, xMax, yMax. */
  readonly columns: readonly [number, number, number, number];
  /** f32 [1,classes,n]. */
  readonly scores: Value;
  readonly maxPerClass: number;
  /** True when there is nothing to tell apart: no `classes` are given then. */
  readonly oneClass?: boolean;
}

/**
 * The common end of every detector: suppression within each class, with both thresholds as inputs of the model, and
 * the outputs of the family. A box is kept when its score is above `score_threshold` and its intersection over union
 * with a better box of its class is at most `iou_threshold`.
 */
export function writeDetections(builder: GraphBuilder, candidates: DetectorCandidates): void {
  const { corners, columns, scores, maxPerClass, oneClass = false } = candidates;
  const scoreThreshold = builder.input('score_threshold', 'float32', [1]);
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
  const inside = builder.node('Clip', [ordered, ...limits], {}, { type: 'float32', dims: [-1, 4] });
  builder.output('boxes', inside, ['detections', 4]);
  const keptScores = builder.node('GatherND', [scores, kept], {}, { type: 'float32', dims: [-1] });
  builder.output('scores', keptScores, ['detections']);
  if (!oneClass) builder.output('classes', column(1), ['detections']);
}
