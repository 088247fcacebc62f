import { readModel } from '../onnx/proto/codec.js';
import type { Model, Node } from '../onnx/proto/model.js';
import { TrainingError } from './training-error.js';

const poolings = new Set(['AveragePool', 'GlobalAveragePool', 'ReduceMean']);

export interface Backbone {
  /** The model up to the pooled features; it has no output yet. */
  readonly model: Model;
  /** Name of the pooled features, f32 of one number a channel: [1,c,1,1] or [1,c]. */
  readonly features: string;
  /** Name of the probabilities of the backbone's own classes, f32 [1,n]. */
  readonly ownProbabilities: string;
}

/** The output of a classifier, and its name once cut: a trained model has an output of the first name itself. */
const given = 'probabilities';
const ownProbabilities = 'lynceus/own_probabilities';

/**
 * Cuts a shipped classifier at its last pooling over the image, before its own classes, and at their probabilities: both
 * are general features of the content of the uint8 image `image`.
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
  const kept = neededFor(nodes, [features, given]).map(renamed);
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
    ownProbabilities,
  };
}

function renamed(node: Node): Node {
  return { ...node, output: (node.output ?? []).map((name) => (name === given ? ownProbabilities : name)) };
}

function neededFor(nodes: readonly Node[], outputs: readonly string[]): Node[] {
  const wanted = new Set(outputs);
  return nodes
    .toReversed()
    .filter((node) => {
      const isNeeded = node.output?.some((name) => wanted.has(name)) ?? false;
      if (isNeeded) for (const name of node.input ?? []) wanted.add(name);
      return isNeeded;
    })
    .reverse();
}
