import { elementsOf } from '../../graph/element-type.js';
import type { GraphBuilder } from '../../graph/graph-builder.js';
import { elementCount, type Value } from '../../graph/value.js';
import { ImportError } from '../../import-error.js';
import { NodeAttributes, readElementType } from './attributes.js';
import type { GraphModel, GraphNode } from './graph-model.js';
import { operators } from './registry.js';
import { readWeights } from './weights.js';

export interface TfjsSource {
  readonly model: GraphModel;
  readonly shards: readonly Uint8Array[];
}

interface TfjsCut {
  /** Node at which `image` enters; nothing before it is read. */
  readonly input: string;
  readonly image: Value;
  /** Outputs to read, as `node` or `node:1`. */
  readonly outputs: readonly string[];
}

/** Writes the section of a GraphModel between the cuts into `builder`, and returns the requested values. */
export function importGraphModel(
  builder: GraphBuilder,
  source: TfjsSource,
  cut: TfjsCut,
): ReadonlyMap<string, Value> {
  const nodes = new Map(source.model.modelTopology.node.map((node) => [node.name, node]));
  const weights = readWeights(builder, source.model.weightsManifest, source.shards);
  const results = new Map<string, readonly Value[]>([[cut.input, [cut.image]]]);
  const read = (reference: string): Value => {
    const { name, index } = parseReference(reference);
    const value = results.get(name)?.[index];
    if (value === undefined) throw new ImportError(`the graph has no output ${reference}`);
    return value;
  };
  for (const node of inOrder(nodes, cut)) {
    const inputs = dataInputs(node).map(read);
    results.set(node.name, writeNode(builder, node, inputs, weights));
  }
  return new Map(cut.outputs.map((output) => [output, read(output)]));
}

/** The nodes that no other node reads. */
export function graphOutputs(model: GraphModel): string[] {
  const nodes = model.modelTopology.node;
  const read = new Set(
    nodes.flatMap((node) => (node.input ?? []).map((input) => parseReference(input.replace(/^\^/, '')).name)),
  );
  return nodes
    .filter(({ name, op }) => !read.has(name) && op !== 'Const' && op !== 'NoOp')
    .map(({ name }) => name);
}

/** The declared dims of the image where it enters: [1,h,w,3], with the batch set to 1. */
export function declaredImageDims(model: GraphModel, input: string): [number, number, number, number] {
  const node = model.modelTopology.node.find(({ name }) => name === input);
  if (node === undefined) throw new ImportError(`the graph has no node ${input}`);
  const attributes = new NodeAttributes(node);
  const element = attributes.shape('element_shape');
  const shape = element === undefined ? attributes.shape('shape') : [1, ...element];
  const [, height = -1, width = -1, channels = -1] = shape ?? [];
  const sane = (side: number) => Number.isInteger(side) && side >= 1 && side <= 8192;
  if (shape?.length !== 4 || !sane(height) || !sane(width) || channels !== 3) {
    throw new ImportError(
      `node ${input} declares the shape [${shape ?? ''}]; an image of [1,height,width,3] is needed`,
    );
  }
  return [1, height, width, 3];
}

function writeNode(
  builder: GraphBuilder,
  node: GraphNode,
  inputs: readonly Value[],
  weights: ReadonlyMap<string, Value>,
): readonly Value[] {
  try {
    if (node.op === 'Const') return [weights.get(node.name) ?? inlineConstant(builder, node)];
    const operator = operators.get(node.op);
    if (operator === undefined) throw new ImportError('this operator is not supported');
    const input = (index: number): Value => {
      const value = inputs[index];
      if (value === undefined) throw new ImportError(`input ${index} is missing`);
      return value;
    };
    const given = operator({
      builder,
      op: node.op,
      attributes: new NodeAttributes(node),
      inputs,
      input,
    });
    return 'name' in given ? [given] : given;
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new ImportError(`operator ${node.op} of node ${node.name}: ${error.message}`, { cause: error });
  }
}

/** The nodes that the outputs need, every one after its inputs. */
function inOrder(nodes: ReadonlyMap<string, GraphNode>, cut: TfjsCut): GraphNode[] {
  const order: GraphNode[] = [];
  const state = new Map<string, 'open' | 'done'>([[cut.input, 'done']]);
  const stack = cut.outputs.map((output) => parseReference(output).name);
  for (let name = stack.at(-1); name !== undefined; name = stack.at(-1)) {
    const node = nodes.get(name);
    if (state.get(name) === 'done') {
      stack.pop();
      continue;
    }
    if (node === undefined) throw new ImportError(`the graph has no node ${name}`);
    const waiting = dataInputs(node)
      .map((input) => parseReference(input).name)
      .filter((input) => state.get(input) !== 'done');
    if (waiting.some((input) => state.get(input) === 'open')) {
      throw new ImportError(
        `node ${name} stands in a loop; graphs with loops cannot be converted, cut after it`,
      );
    }
    if (waiting.length === 0) {
      state.set(name, 'done');
      order.push(node);
    } else {
      state.set(name, 'open');
      stack.push(...waiting);
    }
  }
  return order;
}

function dataInputs(node: GraphNode): string[] {
  return (node.input ?? []).filter((input) => !input.startsWith('^'));
}

function parseReference(reference: string): { readonly name: string; readonly index: number } {
  const [, name = reference, index = '0'] = /^(.*?)(?::(\d{1,3}))?$/s.exec(reference) ?? [];
  return { name, index: Number(index) };
}

/** A Const whose elements are in the graph itself; a single one fills the whole shape. */
function inlineConstant(builder: GraphBuilder, node: GraphNode): Value {
  const tensor = node.attr?.['value']?.tensor;
  if (tensor?.dtype === undefined) throw new ImportError('it has no value and no weight');
  const dims = (tensor.tensorShape?.dim ?? []).map(({ size }) => Number(size ?? 0));
  const lists = [tensor.floatVal, tensor.intVal, tensor.int64Val?.map(Number), tensor.boolVal?.map(Number)];
  const numbers = lists.find((list) => list !== undefined && list.length > 0) ?? [];
  const count = elementCount(dims);
  const type = readElementType(tensor.dtype);
  const [only = 0] = numbers;
  const filled =
    numbers.length === 1 && count <= 65_536 ? Array.from({ length: count }, () => only) : numbers;
  return builder.constant(type, dims, elementsOf(type, filled), node.name);
}
