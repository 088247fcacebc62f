import type { GraphBuilder } from '../../onnx/graph/graph-builder.js';
import type { Value } from '../../onnx/graph/value.js';
import { partShare } from './looked-boxes.js';

/** Maximum of boxes that are compared, each with each: as many as an image is answered with. */
export const mostBoxes = 100;

/**
 * Which boxes are parts of a better one of the same label: `looksOf` in a graph.
 * @param boxes f32 [n,4]: xMin, yMin, xMax, yMax, best first. @param classes int64 [n]
 * @returns bool [n]
 */
export function writeParts(builder: GraphBuilder, boxes: Value, classes: Value): Value {
  const points = { type: 'float32', dims: [-1, 2] } as const;
  const list = { type: 'float32', dims: [-1] } as const;
  const pairs = { type: 'bool', dims: [-1, -1] } as const;
  const table = { type: 'float32', dims: [-1, -1] } as const;
  const [first, last] = [builder.integers([0], 'first_axis'), builder.integers([1], 'last_axis')];
  const side = (from: number) =>
    builder.node('Slice', [boxes, builder.integers([from]), builder.integers([from + 2]), last], {}, points);
  const [lower, upper] = [side(0), side(2)];
  // Reductions give a wrong shape where there is no box.
  const areaOf = (extent: Value, result: typeof list | typeof table) => {
    const of = (side: number) =>
      builder.node('Gather', [extent, builder.scalar('int64', side)], { axis: -1 }, result);
    return builder.node('Mul', [of(0), of(1)], {}, result);
  };
  const areas = areaOf(builder.node('Sub', [upper, lower], {}, points), list);
  const down = (value: Value, dims: readonly number[]) =>
    builder.node('Unsqueeze', [value, last], {}, { type: value.type, dims });
  const across = (value: Value, dims: readonly number[]) =>
    builder.node('Unsqueeze', [value, first], {}, { type: value.type, dims });
  const both = (op: string, value: Value, result: typeof table | typeof pairs) =>
    builder.node(op, [down(value, [-1, 1]), across(value, [1, -1])], {}, result);

  const corners = { type: 'float32', dims: [-1, -1, 2] } as const;
  const corner = (op: string, value: Value) =>
    builder.node(op, [down(value, [-1, 1, 2]), across(value, [1, -1, 2])], {}, corners);
  const extent = builder.node('Sub', [corner('Min', upper), corner('Max', lower)], {}, corners);
  const inside = builder.node('Relu', [extent], {}, corners);
  const shared = areaOf(inside, table);
  const smaller = both('Min', areas, table);
  const enough = builder.node('Mul', [smaller, builder.scalar('float32', partShare)], {}, table);
  const isMostlyShared = builder.node('Greater', [shared, enough], {}, pairs);

  const count = builder.node('Shape', [classes], {}, { type: 'int64', dims: [1] });
  const ranks = builder.node(
    'Range',
    [
      builder.scalar('int64', 0),
      builder.node('Squeeze', [count], {}, { type: 'int64', dims: [] }),
      builder.scalar('int64', 1),
    ],
    {},
    { type: 'int64', dims: [-1] },
  );
  const isBetter = both('Greater', ranks, pairs);
  const isOfLabel = both('Equal', classes, pairs);
  const isPair = builder.node(
    'And',
    [builder.node('And', [isBetter, isOfLabel], {}, pairs), isMostlyShared],
    {},
    pairs,
  );
  const asFloats = builder.node('Cast', [isPair], { to: 1 }, table);
  const wholes = builder.node('ReduceSum', [asFloats, last], { keepdims: 0 }, list);
  return builder.node('Greater', [wholes, builder.scalar('float32', 0)], {}, { type: 'bool', dims: [-1] });
}
