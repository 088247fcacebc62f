import { ImportError } from '../import-error.js';
import type { Model, Node, TensorProto } from '../proto/model.js';
import type { Readability } from '../recipe.js';

const float32 = 1;

/**
 * A text recogniser with a second output [n,t] behind its own: the log odds of each step that its script is one which the
 * net reads, by a net of one hidden layer over the features of the step.
 * @param asset see `Readability`
 * @throws ImportError where the numbers do not fit the features.
 */
export function withReadability(model: Model, { features, hidden }: Readability, asset: Uint8Array): Model {
  const { graph } = model;
  if (!graph.node?.some((node) => node.output?.includes(features))) {
    throw new ImportError(`the model has no value named ${features}`);
  }
  // A copy, so that the numbers may start at any byte.
  const numbers = new Float32Array(new Uint8Array(asset).buffer);
  const dims = (numbers.length - 1) / hidden - 2;
  if (!Number.isInteger(dims) || dims < 1)
    throw new ImportError('the numbers of readability do not fit its hidden layer');
  let used = 0;
  const constant = (name: string, sides: readonly number[]): TensorProto => {
    const count = sides.reduce((product, side) => product * side, 1);
    used += count;
    return {
      name: own(name),
      dims: sides.map(BigInt),
      dataType: float32,
      rawData: new Uint8Array(numbers.slice(used - count, used).buffer),
    };
  };
  const constants = [
    constant('layer', [dims, hidden]),
    constant('layer-biases', [hidden]),
    constant('weights', [hidden]),
    constant('bias', [1]),
  ];
  const output = own('log-odds');
  const nodes = [
    nodeOf('MatMul', [features, own('layer')], own('product')),
    nodeOf('Add', [own('product'), own('layer-biases')], own('sum')),
    nodeOf('Relu', [own('sum')], own('units')),
    nodeOf('MatMul', [own('units'), own('weights')], own('weighted')),
    nodeOf('Add', [own('weighted'), own('bias')], output),
  ];
  return {
    ...model,
    graph: {
      ...graph,
      initializer: [...(graph.initializer ?? []), ...constants],
      node: [...(graph.node ?? []), ...nodes],
      output: [...(graph.output ?? []), { name: output, type: { tensorType: { elemType: float32 } } }],
    },
  };
}

/** A name that the net does not have. */
function own(name: string): string {
  return `lynceus/readability/${name}`;
}

function nodeOf(opType: string, input: string[], result: string): Node {
  return { opType, input, output: [result] };
}
