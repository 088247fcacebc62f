import { type ElementType, elementsOf } from '../../graph/element-type.js';
import type { GraphBuilder } from '../../graph/graph-builder.js';
import type { Value } from '../../graph/value.js';
import { ImportError } from '../../import-error.js';
import type { Graph, Model, Node } from '../../proto/model.js';
import { integerOf, integersOf, readAttributes, tensorAttribute } from './attributes.js';
import type { OnnxNode } from './node.js';
import { elementTypeOf, readTensor } from './tensors.js';
import { upgrade } from './upgrade.js';

const integerResults = new Set(['Shape', 'Size', 'ArgMax', 'ArgMin', 'NonZero', 'NonMaxSuppression']);

const truthResults = new Set([
  'Equal',
  'Greater',
  'GreaterOrEqual',
  'Less',
  'LessOrEqual',
  'Not',
  'And',
  'Or',
  'Xor',
]);

interface OnnxImport {
  /** Name of the image's input in the file. */
  readonly input: string;
  /** The replacement of that input: floats [n,channels,h,w]. */
  readonly image: Value;
  /** Requested values, by their names in the file: the output of any node, or the input. */
  readonly outputs: readonly string[];
}

const oldestOpset = 7;
const newestOpset = 17;

/**
 * Writes the nodes of an ONNX model into `builder`, in the operators of its opset; nodes that no output needs are omitted
 * when the model is finished. The shapes that the file declares are ignored.
 * @throws ImportError when the model has something that is not supported.
 */
export function importOnnx(builder: GraphBuilder, model: Model, wanted: OnnxImport): Map<string, Value> {
  const opset = opsetOf(model);
  const { graph } = model;
  const values = new Map<string, Value>();
  for (const tensor of graph.initializer ?? []) {
    const name = tensor.name ?? '';
    values.set(name, readTensor(builder, tensor, name));
  }
  requireOnlyInput(graph, wanted.input, values);
  values.set(wanted.input, wanted.image);
  for (const node of graph.node ?? []) writeNode(builder, node, values, opset);
  return new Map(
    wanted.outputs.map((name) => {
      const value = values.get(name);
      if (value === undefined) throw new ImportError(`the model has no value named ${name}`);
      return [name, value];
    }),
  );
}

/** Names of the model's outputs. */
export function outputNames(model: Model): string[] {
  return (model.graph.output ?? []).map(({ name = '' }) => name);
}

function opsetOf(model: Model): number {
  if ((model.functions?.length ?? 0) > 0)
    throw new ImportError('the model has functions of its own, which are not supported; export it without');
  const own = model.opsetImport?.find(({ domain = '' }) => domain === '' || domain === 'ai.onnx');
  const opset = Number(own?.version ?? 0n);
  if (opset >= oldestOpset && opset <= newestOpset) return opset;
  throw new ImportError(
    `the model uses opset ${opset}; ${oldestOpset} to ${newestOpset} are supported: export it with opset ${newestOpset}`,
  );
}

function requireOnlyInput(graph: Graph, input: string, constants: ReadonlyMap<string, Value>): void {
  // Old files list their constants among the inputs.
  const inputs = (graph.input ?? []).map(({ name = '' }) => name).filter((name) => !constants.has(name));
  if (inputs.length === 1 && inputs[0] === input) return;
  throw new ImportError(`the model takes ${inputs.join(', ') || 'nothing'}; ${input} alone is expected`);
}

function writeNode(builder: GraphBuilder, node: Node, values: Map<string, Value>, opset: number): void {
  const { opType: op = '', domain = '', output = [] } = node;
  try {
    if (domain !== '' && domain !== 'ai.onnx')
      throw new ImportError(`it belongs to ${domain}; only the operators of ONNX itself are supported`);
    const results =
      op === 'Constant' ? [readConstant(builder, node)] : writeOperator(builder, node, values, opset);
    for (const [index, name] of output.entries()) {
      const value = results[index];
      if (name !== '' && value !== undefined) values.set(name, value);
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new ImportError(`operator ${op} of node ${node.name ?? output[0]}: ${error.message}`, {
      cause: error,
    });
  }
}

function writeOperator(
  builder: GraphBuilder,
  node: Node,
  values: ReadonlyMap<string, Value>,
  opset: number,
): readonly Value[] {
  const inputs = (node.input ?? []).map((name) => {
    if (name === '') return null;
    const value = values.get(name);
    if (value === undefined) throw new ImportError(`its input ${name} is not known yet`);
    return value;
  });
  const tensor = node.attribute?.find(({ t }) => t !== undefined)?.name;
  if (tensor !== undefined)
    throw new ImportError(`its attribute ${tensor} is a tensor, which is not supported`);
  const given: OnnxNode = { op: node.opType ?? '', inputs, attributes: readAttributes(node) };
  const upgraded = keepBatch(builder, upgrade(builder, given, opset));
  const result = { type: resultType(upgraded), dims: [] };
  // Of a dropout or an old batch normalisation only the first output is used.
  const single = upgraded.op === 'Identity' || upgraded.op === 'BatchNormalization';
  const count = single ? 1 : (node.output ?? []).length;
  const results = Array.from({ length: count }, () => result);
  return builder.nodes(upgraded.op, upgraded.inputs, upgraded.attributes, results);
}

function readConstant(builder: GraphBuilder, node: Node): Value {
  const name = node.output?.[0] ?? '';
  const tensor = tensorAttribute(node, 'value');
  if (tensor !== undefined) return readTensor(builder, tensor, name);
  const attributes = readAttributes(node);
  const integers = integersOf(attributes, 'value_ints');
  if (integers !== undefined) return builder.integers(integers, name);
  const { value_int: integer, value_float: float } = attributes;
  if (typeof integer === 'number') return builder.scalar('int64', integer, name);
  if (typeof float === 'object' && 'float' in float) return builder.scalar('float32', float.float, name);
  throw new ImportError('it holds a kind of constant that is not supported');
}

/** A net exported for one image has 1 in its reshapes; 0 copies the dim. */
function keepBatch(builder: GraphBuilder, node: OnnxNode): OnnxNode {
  const [value = null, target] = node.inputs;
  const sides = Array.from<number | bigint, number>(target?.constant ?? [], Number);
  if (!builder.freeBatch || node.op !== 'Reshape' || sides[0] !== 1) return node;
  const shape = builder.constant(
    'int64',
    [sides.length],
    elementsOf('int64', [0, ...sides.slice(1)]),
    'shape',
  );
  return { ...node, inputs: [value, shape] };
}

/** Element type of a node's output: for most that of the input. */
function resultType({ op, inputs, attributes }: OnnxNode): ElementType {
  if (op === 'Cast') return elementTypeOf(integerOf(attributes, 'to', 0), 'its result');
  if (integerResults.has(op)) return 'int64';
  if (truthResults.has(op)) return 'bool';
  if (op === 'DequantizeLinear') return 'float32';
  const typed: Value | null | undefined = op === 'Where' ? inputs[1] : inputs[0];
  return typed?.type ?? 'float32';
}
