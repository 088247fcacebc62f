import { readModel } from '../onnx/proto/codec.js';
import type { Model, Node } from '../onnx/proto/model.js';
import { TrainingError } from './training-error.js';

const poolings = new Set(['AveragePool', 'GlobalAveragePool', 'ReduceMean']);

export interface Backbone {
  /** The model up to the pooled features; it has no output yet. */
  readonly model: Model;
  /** Name of the pooled features, f32 of one number a channel: [1,c,1,1] or [1,c]. */
  readonly features: string;
}

/**
 * Cuts a shipped classifier after its last pooling over the image, before its own classes: the rest maps the
 * uint8 image `image` to general features of its content.
 * @throws TrainingError 'model-missing' where the graph has no such pooling.
 */
export function cutBackbone(bytes: Uint8Array, id: string): Backbone {
  const model = readModel(bytes);
  const nodes = model.graph.node ?? [];
  const pooling = nodes.findLast(({ opType = '' }) => poolings.has(opType));
  const features = pooling?.output?.[0];
  if (features === undefined) {
    throw new TrainingError(
      'model-missing',
      `model ${id} has no pooled features to train on; choose another`,
    );
  }
  const kept = neededFor(nodes, features);
  const names = new Set(kept.flatMap(({ input = [], output = [] }) => [...input, ...output]));
  const { graph } = model;
  return {
    model: {
      ...model,
      graph: {
        ...graph,
        node: kept,
        initializer: (graph.initializer ?? []).filter(({ name = '' }) => names.has(name)),
        output: [],
        valueInfo: [],
      },
    },
    features,
  };
}

function neededFor(nodes: readonly Node[], output: string): Node[] {
  const wanted = new Set([output]);
  return nodes
    .toReversed()
    .filter((node) => {
      const isNeeded = node.output?.some((name) => wanted.has(name)) ?? false;
      if (isNeeded) for (const name of node.input ?? []) wanted.add(name);
      return isNeeded;
    })
    .reverse();
}
