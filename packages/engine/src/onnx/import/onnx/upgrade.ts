import type { GraphBuilder } from '../../graph/graph-builder.js';
import type { Value } from '../../graph/value.js';
import { ImportError } from '../../import-error.js';
import { floatOf, integerOf, integersOf } from './attributes.js';
import type { OnnxNode, Upgrade } from './node.js';

/**
 * What changed between opset 7 and 17 (https://github.com/onnx/onnx/blob/main/docs/Changelog.md): by operator, the
 * version before which it must be rewritten, and how.
 */
const upgrades: ReadonlyMap<string, readonly { readonly before: number; readonly write: Upgrade }[]> =
  new Map([
    ['Slice', [{ before: 10, write: sliceLists }]],
    ['Clip', [{ before: 11, write: clipLimits }]],
    ['Pad', [{ before: 11, write: padLists }]],
    ['Resize', [{ before: 11, write: resizeScales }]],
    ['Dropout', [{ before: 18, write: withoutDropout }]],
    ['Squeeze', [{ before: 13, write: axesAsInput }]],
    ['Unsqueeze', [{ before: 13, write: axesAsInput }]],
    ['ReduceSum', [{ before: 13, write: axesAsInput }]],
    ['Softmax', [{ before: 13, write: overAllThatFollows }]],
    ['LogSoftmax', [{ before: 13, write: overAllThatFollows }]],
  ]);

export function upgrade(builder: GraphBuilder, node: OnnxNode, opset: number): OnnxNode {
  const due = upgrades.get(node.op)?.filter(({ before }) => opset < before) ?? [];
  return due.reduce((current, { write }) => write(builder, current), node);
}

function axesAsInput(builder: GraphBuilder, node: OnnxNode): OnnxNode {
  const axes = integersOf(node.attributes, 'axes');
  if (axes === undefined) return node;
  return { ...without(node, 'axes'), inputs: [...node.inputs, builder.integers(axes, 'axes')] };
}

function sliceLists(builder: GraphBuilder, node: OnnxNode): OnnxNode {
  const [starts, ends] = [integersOf(node.attributes, 'starts'), integersOf(node.attributes, 'ends')];
  if (starts === undefined || ends === undefined) throw new ImportError('it does not say what to cut');
  const axes = integersOf(node.attributes, 'axes') ?? starts.map((_, axis) => axis);
  const lists = [starts, ends, axes].map((list) => builder.integers(list));
  return { ...without(node, 'starts', 'ends', 'axes'), inputs: [...node.inputs, ...lists] };
}

function clipLimits(builder: GraphBuilder, node: OnnxNode): OnnxNode {
  const limits = (['min', 'max'] as const).map((name) =>
    node.attributes[name] === undefined
      ? null
      : builder.scalar('float32', floatOf(node.attributes, name, 0), name),
  );
  return { ...without(node, 'min', 'max'), inputs: [...node.inputs, ...limits] };
}

function padLists(builder: GraphBuilder, node: OnnxNode): OnnxNode {
  const pads = integersOf(node.attributes, 'pads');
  if (pads === undefined) throw new ImportError('it does not say how far to pad');
  const value = builder.scalar('float32', floatOf(node.attributes, 'value', 0));
  return { ...without(node, 'pads', 'value'), inputs: [...node.inputs, builder.integers(pads), value] };
}

/** Opset 10 measures from the corner of a pixel and rounds down. */
function resizeScales(_builder: GraphBuilder, { op, inputs, attributes }: OnnxNode): OnnxNode {
  const [value = null, scales = null] = inputs;
  const rounding = { coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' };
  return { op, inputs: [value, null, scales], attributes: { ...attributes, ...rounding } };
}

function withoutDropout(_builder: GraphBuilder, { inputs }: OnnxNode): OnnxNode {
  return { op: 'Identity', inputs: inputs.slice(0, 1), attributes: {} };
}

/** Before opset 13 a softmax ran over its axis and all that follow, as one. */
function overAllThatFollows(builder: GraphBuilder, { op, inputs, attributes }: OnnxNode): OnnxNode {
  const [value = null] = inputs;
  const axis = integerOf(attributes, 'axis', 1);
  if (axis === -1) return { op, inputs, attributes };
  const plain = { type: 'float32', dims: [] } as const;
  const rows: Value = builder.node('Flatten', [value], { axis }, plain);
  const shape = builder.node('Shape', [value], {}, { type: 'int64', dims: [] });
  return { op: 'Reshape', inputs: [builder.node(op, [rows], { axis: 1 }, plain), shape], attributes: {} };
}

function without({ op, inputs, attributes }: OnnxNode, ...names: readonly string[]): OnnxNode {
  const kept = Object.entries(attributes).filter(([name]) => !names.includes(name));
  return { op, inputs, attributes: Object.fromEntries(kept) };
}
