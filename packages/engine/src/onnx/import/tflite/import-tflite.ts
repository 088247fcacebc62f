import { mapElements } from '../../graph/fold.js';
import type { GraphBuilder } from '../../graph/graph-builder.js';
import type { Value } from '../../graph/value.js';
import { ImportError } from '../../import-error.js';
import { floatConstant } from './constants.js';
import type { NodeContext, Operator } from './operator.js';
import { activationScale, clipToRange, quantiseAndBack } from './quantise.js';
import { describeOperator, operators } from './registry.js';
import type { TfliteModel, TfliteNode, TfliteTensor } from './tflite-model.js';

/** `int8` keeps the quantisation, as QDQ pairs; `float32` undoes it. */
export type TfliteWeights = 'int8' | 'float32';

/** Writes the graph into `builder`. @param input The value of the model's only input, as floats. */
export function importTflite(
  builder: GraphBuilder,
  model: TfliteModel,
  weights: TfliteWeights,
  input: Value,
): ReadonlyMap<number, Value> {
  const [fed, ...others] = model.inputs;
  if (fed === undefined || others.length > 0)
    throw new ImportError('a model with exactly one input is needed');
  const values = new Map<number, Value>([[fed, input]]);
  for (const node of model.operators) writeNode(builder, model, node, values, weights);
  return values;
}

export function tensorAt(model: TfliteModel, index: number | undefined): TfliteTensor {
  const tensor = model.tensors[index ?? -1];
  if (tensor === undefined) throw new ImportError(`the TFLite file has no tensor ${index}`);
  return tensor;
}

function writeNode(
  builder: GraphBuilder,
  model: TfliteModel,
  node: TfliteNode,
  values: Map<number, Value>,
  weights: TfliteWeights,
): void {
  const [outputIndex = -1] = node.outputs;
  const output = tensorAt(model, outputIndex);
  try {
    const operator = operators.get(node.code);
    if (operator === undefined) throw new ImportError('this operator is not supported');
    const given = operator.write(contextOf(builder, model, node, values, weights, output));
    for (const [at, value] of ('name' in given ? [given] : given).entries()) {
      const index = node.outputs[at] ?? -1;
      const declared = tensorAt(model, index);
      if (value.dims.join() !== declared.dims.join())
        throw new ImportError(`it gives the shape [${value.dims}], but the file declares [${declared.dims}]`);
      values.set(index, settle(builder, value, operator, declared, weights));
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new ImportError(
      `operator ${describeOperator(node.code, node.custom?.name)} of node ${output.name}: ${error.message}`,
      { cause: error },
    );
  }
}

/** The effect of a quantised tensor on its values: steps, or at least the limits. */
function settle(
  builder: GraphBuilder,
  value: Value,
  operator: Operator,
  output: TfliteTensor,
  weights: TfliteWeights,
): Value {
  const scale = activationScale(output);
  if (scale === undefined) {
    if (weights === 'int8')
      throw new ImportError('the model is not quantised; import it with weights "float32"');
    return value;
  }
  if (weights === 'int8') return quantiseAndBack(builder, value, scale);
  return operator.keepsRange === true ? value : clipToRange(builder, value, scale);
}

function contextOf(
  builder: GraphBuilder,
  model: TfliteModel,
  node: TfliteNode,
  values: ReadonlyMap<number, Value>,
  weights: TfliteWeights,
  output: TfliteTensor,
): NodeContext {
  const tensor = (index: number) => tensorAt(model, node.inputs[index]);
  return {
    builder,
    options: node.options,
    inputCount: node.inputs.length,
    output,
    outputCount: node.outputs.length,
    tensor,
    has: (index) => (node.inputs[index] ?? -1) >= 0,
    input(index) {
      const value = values.get(node.inputs[index] ?? -1);
      if (value !== undefined) return value;
      const constant = tensor(index);
      if (constant.data === undefined) throw new ImportError(`input ${index} is not known yet`);
      return floatConstant(builder, constant, plainLayout(constant), weights === 'int8');
    },
    weights(index, layout) {
      const constant = values.get(node.inputs[index] ?? -1)?.constant;
      if (constant === undefined) return floatConstant(builder, tensor(index), layout, weights === 'int8');
      // Weights in 16 bits pass a DEQUANTIZE, which has made floats of them.
      const moved = mapElements(constant, layout.dims, layout.sourceOf);
      return builder.constant('float32', layout.dims, moved, tensor(index).name);
    },
  };
}

function plainLayout({ dims, quantisation }: TfliteTensor) {
  const sourceOf = (position: readonly number[]) =>
    position.reduce((index, at, axis) => index * (dims[axis] ?? 1) + at, 0);
  return { dims, sourceOf, axis: quantisation?.axis ?? 0 };
}
