import { type DetectorCandidates, suppressCandidates } from '../../onnx/assemble/suppress.js';
import { GraphBuilder } from '../../onnx/graph/graph-builder.js';
import type { Value } from '../../onnx/graph/value.js';
import type { Model } from '../../onnx/proto/model.js';
import { joinModels } from '../join-models.js';
import { cropFeatures, writeCrops } from './crop-graph.js';
import { maxLooks } from './looked-boxes.js';
import { mostBoxes, writeParts } from './parts-graph.js';
import type { SecondLook } from './second-look.js';

/** Names where the graphs meet: found boxes, the highest scoring first, and indexes of those that are looked at. */
const found = {
  boxes: 'lynceus/found_boxes',
  logits: 'lynceus/found_logits',
  classes: 'lynceus/found_classes',
  looked: 'lynceus/looked_boxes',
};
const floats = { type: 'float32', dims: [-1] } as const;
const integers = { type: 'int64', dims: [-1] } as const;
const flags = { type: 'bool', dims: [-1] } as const;

/**
 * The end of a detector whose boxes are looked at again: what suppression keeps, best first, and crops of the boxes that are no part
 * of a better one.
 */
export function writeLooked(
  builder: GraphBuilder,
  image: Value,
  candidates: DetectorCandidates & { readonly logits: Value },
  { leastLogit }: Pick<SecondLook, 'leastLogit'>,
  side: number,
): void {
  const leastScore = 1 / (1 + Math.exp(-leastLogit));
  const { boxes, classes, indexes } = suppressCandidates(builder, candidates, leastScore);
  const logits = builder.node('GatherND', [candidates.logits, indexes], {}, floats);
  const count = builder.node('Shape', [logits], {}, { type: 'int64', dims: [1] });
  const [sorted = logits, order = count] = builder.nodes('TopK', [logits, count], {}, [floats, integers]);
  const inOrder = (value: Value) => builder.node('Gather', [value, order], { axis: 0 }, value);
  const [ownBoxes, ownClasses] = [inOrder(boxes), inOrder(classes)];

  const most = (value: Value) => cut(builder, value, mostBoxes);
  const isPart = writeParts(builder, most(ownBoxes), most(ownClasses));
  const least = builder.scalar('float32', leastLogit, 'least_logit');
  const isWorth = builder.node('GreaterOrEqual', [most(sorted), least], {}, flags);
  const isLooked = builder.node('And', [isWorth, builder.node('Not', [isPart], {}, flags)], {}, flags);
  const looked = cut(builder, indexesOf(builder, isLooked), maxLooks);

  builder.output(found.boxes, ownBoxes, ['found', 4]);
  builder.output(found.logits, sorted, ['found']);
  builder.output(found.classes, ownClasses, ['found']);
  builder.output(found.looked, looked, ['looked']);
  writeCrops(builder, image, builder.node('Gather', [ownBoxes, looked], { axis: 0 }, ownBoxes), side);
}

/**
 * The end of the graph: logits of the boxes that were looked at are raised by `gain` x min(crop's logit, `cap`), and boxes whose
 * score then is not above the threshold are dropped. The others keep theirs. Best first.
 */
export function withSecondLook(model: Model, { weights, biases, gain, cap }: SecondLook): Model {
  const builder = new GraphBuilder();
  const labels = weights.length;
  const size = weights[0]?.length ?? 0;
  const features = builder.input(cropFeatures, 'float32', ['looked', size]);
  const boxes = builder.input(found.boxes, 'float32', ['found', 4]);
  const logits = builder.input(found.logits, 'float32', ['found']);
  const classes = builder.input(found.classes, 'int64', ['found']);
  const looked = builder.input(found.looked, 'int64', ['looked']);
  const threshold = builder.input('score_threshold', 'float32', [1]);

  const rows = new Float32Array(labels * size);
  for (const [label, row] of weights.entries()) rows.set(row, label * size);
  const map = builder.constant('float32', [labels, size], rows, 'look');
  const shifts = builder.constant('float32', [labels], Float32Array.from(biases), 'look_biases');
  const all = builder.node(
    'Gemm',
    [features, map, shifts],
    { transB: 1 },
    { type: 'float32', dims: [-1, labels] },
  );
  const last = builder.integers([1], 'last_axis');
  const labelOf = builder.node('Gather', [classes, looked], { axis: 0 }, integers);
  const column = builder.node('Unsqueeze', [labelOf, last], {}, { type: 'int64', dims: [-1, 1] });
  const own = builder.node('GatherElements', [all, column], { axis: 1 }, { type: 'float32', dims: [-1, 1] });
  const crop = builder.node('Squeeze', [own, last], {}, floats);
  const capped = builder.node('Min', [crop, builder.scalar('float32', cap)], {}, floats);
  const raise = builder.node('Mul', [capped, builder.scalar('float32', gain)], {}, floats);
  const before = builder.node('Gather', [logits, looked], { axis: 0 }, floats);
  const raised = builder.node('Add', [before, raise], {}, floats);
  const after = builder.node('ScatterElements', [logits, looked, raised], { axis: 0 }, floats);
  const scores = builder.node('Sigmoid', [after], {}, floats);

  const isShown = builder.node('Greater', [scores, threshold], {}, flags);
  const at = indexesOf(builder, isShown);
  const shown = (value: Value) => builder.node('Gather', [value, at], { axis: 0 }, value);
  const count = builder.node('Shape', [at], {}, { type: 'int64', dims: [1] });
  const [sorted = scores, order = at] = builder.nodes('TopK', [shown(scores), count], {}, [floats, integers]);
  const inOrder = (value: Value) => builder.node('Gather', [shown(value), order], { axis: 0 }, value);
  builder.output('boxes', inOrder(boxes), ['detections', 4]);
  builder.output('scores', sorted, ['detections']);
  builder.output('classes', inOrder(classes), ['detections']);
  const joint = [cropFeatures, ...Object.values(found), 'score_threshold'];
  return joinModels(model, builder.finish('detector'), joint, 'look');
}

/** int64 [k]: where flags are set. */
function indexesOf(builder: GraphBuilder, isSet: Value): Value {
  const rows = builder.node('NonZero', [isSet], {}, { type: 'int64', dims: [1, -1] });
  return builder.node('Squeeze', [rows, builder.integers([0], 'first_axis')], {}, integers);
}

/** The first rows, as far as there are so many. */
function cut(builder: GraphBuilder, value: Value, most: number): Value {
  const bounds = [0, most, 0].map((number) => builder.integers([number]));
  return builder.node('Slice', [value, ...bounds], {}, value);
}
